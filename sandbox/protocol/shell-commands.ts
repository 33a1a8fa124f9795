/**
 * The programs in the isolate's `/bin`, for descriptions; the shell's builtins (`cd`, `read`, `export`, `test`, …) come
 * on top. A test holds this list against the worker.
 */
export const SHELL_COMMANDS: readonly string[] = (
  'alias awk base64 basename bash cat chmod cmp column comm cp cut date diff dirname du echo egrep env ' +
  'expand expr false fgrep file find fold grep gunzip gzip head help hostname id join jq ln ls md5sum mkdir ' +
  'mktemp mv nl nproc od paste printenv printf pwd readlink realpath rev rg rm rmdir sed seq sh sha1sum ' +
  'sha224sum sha256sum sha384sum sha512sum sleep sort stat strings tac tail tee time timeout touch tr tree ' +
  'true unalias uname unexpand uniq wc which whoami xargs zcat'
).split(' ');
