/**
 * The container's main process where no agent runs: a shell that ends when its stdin does, and with it the container.
 * It runs as root, out of the commands' reach, and says and does what only root can: who runs, by which limits they are
 * marked, what the kernel counted, and who gets a signal. Nothing here forks but `line`: when the commands have used up
 * all processes a shell that cannot fork ends, and would take the container with it.
 *
 * Each answer ends with the token that came first.
 */
const SCRIPT = `
exec 2>/dev/null
IFS= read -r token || exit 0
printf 'k %s\\n%s\\n' "$$" "$token"
while IFS=' ' read -r op a b; do
  case $op in
    scan)
      for p in /proc/[0-9]*; do
        n= s= P= u= g= i= f= d=
        while read -r k v w x; do
          case $k in Name:) n=$v;; State:) s=$v;; PPid:) P=$v;; Uid:) u=$w;; NSpgid:) g=$v;; NSsid:) i=$v; break;; esac
        done <"$p/status"
        case $s in ''|Z|X) continue;; esac
        while read -r m k v w x y; do
          case $k$v in filesize) f=$x;; datasize) d=$x; break;; esac
        done <"$p/limits"
        printf 'p %s %s %s %s %s %s %s %s\\n' "\${p#/proc/}" "$P" "$u" "$g" "$i" "$f" "$d" "$n"
      done
      o=0 m=0 c=0
      for p in /sys/fs/cgroup/memory.events /sys/fs/cgroup/memory/memory.oom_control; do
        [ -r "$p" ] && while read -r k v; do [ "$k" = oom_kill ] && o=$v; done <"$p"
      done
      for p in /sys/fs/cgroup/pids.events /sys/fs/cgroup/pids/pids.events; do
        [ -r "$p" ] && while read -r k v; do [ "$k" = max ] && m=$v; done <"$p"
      done
      for p in /sys/fs/cgroup/pids.current /sys/fs/cgroup/pids/pids.current; do
        [ -r "$p" ] && read -r c <"$p"
      done
      printf 'c %s %s %s\\n' "$o" "$m" "$c"
      ;;
    kill) kill -"$a" $b ;;
    line) for p in $a $b; do printf 'l %s ' "$p"; tr '\\0\\n' '  ' <"/proc/$p/cmdline" | head -c 200; printf '\\n'; done ;;
  esac
  printf '%s\\n' "$token"
done
`;

/** The main process's own command line, short for who lists processes: the script comes as the first line of its stdin. */
export const KEEPER = 'IFS= read -r script && eval "$(printf %b "$script")"';

export const KEEPER_LINE = `${SCRIPT.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n`;
