import { reopenScript } from '../../../../sandbox/protocol/enter-script.js';
import { STAT_FORMAT } from '../../../../sandbox/protocol/exec-files.js';

/**
 * The shell's side. Needs no more than a POSIX shell and the file tools of busybox. `a`…`e` are a step's arguments, `v`
 * is the last one decoded. Every step that touches a name first goes to its directory and asks the kernel where it
 * is: a link that was put on the way since is `moved`.
 */
export const FILE_SERVER = `
export LC_ALL=C TZ=UTC0
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
unset CDPATH ENV BASH_ENV _cs_run
umask 0
IFS= read -r token || exit 0
format='${STAT_FORMAT}'
flat=
{ rm -rf "$1/flat" && mkdir "$1/flat" && : >"$1/flat/a" && mv -fT "$1/flat/a" "$1/flat/b" && flat=-T; rm -rf "$1/flat"; } >/dev/null 2>&1

decode() { v=\${1#=}; case $v in *\\\\*) v=$(printf '%b.' "$v"); v=\${v%.};; esac; }
enter() {
  decode "$1"
  ${reopenScript('/workspace')}
  if cd -P -- "$v" 2>/dev/null; then
    [ "$PWD" = "$v" ] && return 0
    s=moved
  elif [ -d "$v" ]; then s=EACCES
  elif [ -e "$v" ]; then s=ENOTDIR
  else s=ENOENT
  fi
  return 1
}
name() { decode "$1"; f=./$v; [ -n "$v" ] || f=.; }
there() { [ -e "$f" ] || [ -L "$f" ]; }
# Runs a tool; what it says against it is the answer.
tool() { if m=$("$@" 2>&1 </dev/null); then s=ok; else s=failed; printf '%s' "$m"; fi; }
take() {
  [ "$1" -lt 65536 ] || dd bs=65536 count=$(($1 / 65536)) iflag=fullblock 2>/dev/null
  [ $(($1 % 65536)) -eq 0 ] || dd bs=$(($1 % 65536)) count=1 iflag=fullblock 2>/dev/null
}
# Whatever becomes of the file, the bytes announced are taken from the stream.
receive() { take "$1" | { (umask 077; set -C; cat >"$2") 2>&1; r=$?; cat >/dev/null; exit $r; }; }
put() {
  name "$2"; t=./\${3#=}; expected=\${6#=}
  if there; then
    if [ -L "$f" ]; then s=moved; return; fi
    if [ -d "$f" ]; then s=EISDIR; return; fi
    if ! [ -f "$f" ]; then s=ENXIO; return; fi
    if ! m=$( (: >>"$f") 2>&1); then s=failed; printf '%s' "$m"; return; fi
  fi
  taken=1
  if ! m=$(receive "$5" "$t"); then s=failed; printf '%s' "$m"; rm -f "$t"; return; fi
  if ! m=$(chmod "\${4#=}" "$t" 2>&1); then s=failed; printf '%s' "$m"; rm -f "$t"; return; fi
  case $expected in
    any) tool mv -f $flat "$t" "$f" ;;
    none) if there; then s=stale; else tool ln $flat "$t" "$f"; rm -f "$t"; fi ;;
    *) decode "$6"
      if [ "$(stat -c "$format" "$f" 2>/dev/null)" = "$v" ]; then tool mv -f $flat "$t" "$f"; else s=stale; fi ;;
  esac
  [ "$s" = ok ] || rm -f "$t"
}
get() {
  name "$2"
  if [ -L "$f" ]; then s=moved
  elif [ -d "$f" ]; then s=EISDIR
  elif ! [ -e "$f" ]; then s=ENOENT
  elif ! [ -f "$f" ]; then s=ENXIO
  else
    m=$( (exec 3<"$f") 2>&1) || { s=failed; printf '%s' "$m"; return; }
    # Of the open file and of the name: the same, or the name was changed for a link meanwhile.
    (exec 3<"$f" && stat -L -c "$format" /proc/self/fd/3 && stat -c "$format" "$f" && exec head -c "$3" <&3) 2>/dev/null || s=moved
  fi
}
list() { for f in * .[!.]* ..?*; do
  if [ -L "$f" ]; then k=l; elif [ -d "$f" ]; then k=d; elif [ -f "$f" ]; then k=f; elif [ -e "$f" ]; then k=o; else continue; fi
  printf '%s%s\\0' "$k" "$f"
done; }
names() { for f in * .[!.]* ..?*; do if there; then printf './%s\\0' "$f"; fi; done; }
move() {
  name "$2"; from=$f; t=./\${5#=}
  here=$PWD
  if [ "$1" = "$3" ]; then
    name "$4"
    if [ -d "$f" ] && ! [ -L "$f" ] && [ -d "$from" ]; then rmdir "$f" 2>/dev/null; fi
    if [ -d "$f" ] && [ -z "$flat" ]; then s=EISDIR; else tool mv -f $flat "$from" "$f"; fi
    return
  fi
  # By the root, the one place besides the working directory that nothing inside can divert.
  decode "$6"; staged=$v/$t
  tool mv -f $flat "$from" "$staged"
  [ "$s" = ok ] || return
  if enter "$3"; then
    name "$4"
    if [ -d "$f" ] && ! [ -L "$f" ] && [ -d "$staged" ]; then rmdir "$f" 2>/dev/null; fi
    if [ -d "$f" ] && [ -z "$flat" ]; then s=EISDIR; elif ! [ -w . ]; then s=closed; else tool mv -f $flat "$staged" "$f"; fi
  fi
  [ "$s" = ok ] || { cd -P -- "$here" && mv -f $flat "$staged" "$from"; } 2>/dev/null
}

printf '\\n%s ok\\n' "$token"
while IFS=' ' read -r step a b c d e g; do
  s=ok; taken=
  if enter "$a"; then case $step in
    H) printf '%s' "$PWD" ;;
    S) name "$b"; if there; then stat -c "$format" "$f" 2>/dev/null || s=ENOENT; else s=ENOENT; fi ;;
    L) list ;;
    T) names | xargs -0 stat -c "$format" 2>/dev/null ;;
    R) get "$a" "$b" "$c" ;;
    K) name "$b"; readlink "$f" 2>/dev/null || s=EINVAL ;;
    W) put "$a" "$b" "$c" "$d" "$e" "$g"; [ -n "$taken" ] || take "$e" >/dev/null ;;
    M) name "$b"; tool mkdir -m "$c" "$f" ;;
    U) name "$b"; tool rm -f "$f" ;;
    D) name "$b"; tool rmdir "$f" ;;
    X) name "$b"; tool rm -rf "$f" ;;
    V) move "$a" "$b" "$c" "$d" "$e" "$g" ;;
    Y) name "$b"; decode "$c"; tool ln -s "$v" "$f" ;;
    C) name "$b"; tool chmod "$c" "$f" ;;
    E) name "$b"; tool touch -c -m -d "@$c" "$f"; [ "$s" = ok ] || { s=ok; touch -c -m -d "@\${c%.*}" "$f" >/dev/null 2>&1; } ;;
    P) name "$b"; tool mkfifo "$f" ;;
    *) s=EINVAL ;;
  esac
  elif [ "$step" = W ]; then take "$e" >/dev/null
  fi
  cd /
  printf '\\n%s %s\\n' "$token" "$s"
done
`;
