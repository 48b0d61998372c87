"""Break a real server, let the workflow mend it, and count. The only place where an experiment is applied."""
