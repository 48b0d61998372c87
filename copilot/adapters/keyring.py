"""Keys in the system's keyring."""

from copilot.errors import UsageError

SERVICE = "log2fix"


class KeyringVault:
    """`ports.Vault` over the `keyring` package. Where no backend is, reading gives nothing and storing says why."""

    def get(self, name: str) -> str | None:
        """The key, or None; a keyring that is locked or missing holds none."""
        import keyring
        from keyring.errors import KeyringError

        try:
            return keyring.get_password(SERVICE, name)
        except KeyringError:
            return None

    def set(self, name: str, key: str) -> None:
        """Store a key and read it back: a switched-off keyring accepts everything and keeps nothing."""
        import keyring
        from keyring.errors import KeyringError

        try:
            keyring.set_password(SERVICE, name, key)
            kept = keyring.get_password(SERVICE, name)
        except KeyringError:
            kept = None
        if kept != key:
            raise UsageError(
                "This system has no keyring that keeps keys (usual in containers and WSL).",
                "Put the key into an environment variable and name it: `--env-key NAME`.",
            )

    def delete(self, name: str) -> None:
        """Forget a key."""
        import keyring
        from keyring.errors import KeyringError

        try:
            keyring.delete_password(SERVICE, name)
        except KeyringError:
            return
