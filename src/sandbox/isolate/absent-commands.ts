/** Of bash's builtins, those that the isolate's shell does not have. A test holds both lists against the shell. */
export const ABSENT_BUILTINS: readonly string[] =
  'bg bind caller coproc disown enable fc fg history jobs kill logout select suspend times trap ulimit umask'.split(
    ' ',
  );

/** Of the programs that people expect in a shell (GNU coreutils, and the usual others), those that are not there. */
export const ABSENT_PROGRAMS: readonly string[] = (
  'git node npm python arch b2sum base32 basenc bc bunzip2 bzip2 cargo chcon chgrp chown chroot cksum clear ' +
  'csplit curl dd df dir dircolors docker envsubst factor fmt free gawk gcc go groups hexdump hostid iconv ' +
  'install java less link logname lsof make man mkfifo mknod more nano nc nice nohup npx numfmt openssl patch ' +
  'pathchk perl pgrep php ping pinky pip pip3 pkill pr ps ptx python3 rsync ruby runcon rustc scp shred shuf ' +
  'split sqlite3 ssh stdbuf stty su sudo sum sync tar top tput truncate tsort tty unlink unxz unzip uptime ' +
  'users vdir vi watch wget who xxd xz yes yq zip zstd'
).split(' ');
