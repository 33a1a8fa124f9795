import { enterScript } from '../../../../sandbox/protocol/enter-script.js';

/**
 * What a command of the exec transport begins as, under the commands' user: `sh -c <this> sh <blocks> <KiB> <seconds> <grace>
 * <cwd> <workspace> <program> <argument>…`. The first line of stdin is the call's token; the rest is the command's.
 *
 * Two resource limits mark the call, and everything it starts inherits them. A process can only lower them, and one of
 * them rises from call to call while the other falls: who has lowered them no longer belongs to any call, and can never
 * pass for another's. Both are far beyond what anything needs.
 *
 * Stays as the command's parent: says on stdout who it is before anything runs, and on both streams how the command
 * ended, so that children which hold them open delay no answer. The host's own deadline comes first; the one in here is for
 * a host that is busy.
 */
export const COMMAND = `
unset _cs_run
IFS= read -r _cs_token || exit 125
{ echo 500 >/proc/self/oom_score_adj; ulimit -f "$1"; ulimit -d "$2"; } 2>/dev/null
_cs_f=- _cs_d=-
while read -r _cs_m _cs_k _cs_v _cs_w _cs_x _cs_y; do
  case $_cs_k$_cs_v in filesize) _cs_f=$_cs_x;; datasize) _cs_d=$_cs_x; break;; esac
done </proc/self/limits
printf '%s %s %s %s\\n' "$_cs_token" "$$" "$_cs_f" "$_cs_d"
${enterScript((word) => `printf '%s ${word}\\n' "$_cs_token"; printf '%s ${word}\\n' "$_cs_token" >&2`, { cwd: '"$5"', workspace: '"$6"' })}
_cs_watch=
if [ -n "$3" ]; then
  (
    _cs_s= _cs_q=
    # KILL: a child that is not yet the program it becomes would swallow any other signal.
    trap '_cs_q=1; [ -z "$_cs_s" ] || kill -KILL "$_cs_s"' TERM
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
    sleep "$3" & _cs_s=$!
    [ -z "$_cs_q" ] || kill -KILL "$_cs_s"
    wait "$_cs_s" && [ -z "$_cs_q" ] || exit 0
    trap '' TERM
    kill -TERM 0
    sleep "$4"
    kill -KILL 0
  ) </dev/null >/dev/null 2>&1 &
  _cs_watch=$!
fi
shift 6
exec 9>&2 2>/dev/null
(
  unset OLDPWD HOSTNAME _cs_token _cs_f _cs_d _cs_m _cs_k _cs_v _cs_w _cs_x _cs_y _cs_watch
  exec "$@" 2>&9 9>&-
)
_cs_code=$?
[ -z "$_cs_watch" ] || { kill "$_cs_watch"; wait "$_cs_watch"; }
printf '%s %s\\n' "$_cs_token" "$_cs_code"
printf '%s %s\\n' "$_cs_token" "$_cs_code" >&9
exit "$_cs_code"
`;
