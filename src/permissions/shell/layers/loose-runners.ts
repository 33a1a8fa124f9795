import type { ShellWord } from '../syntax/shell-syntax.js';
import { joined, type NestedScript, UNKNOWN } from './layer.js';

/**
 * Programs that run a command which stands somewhere among their words: terminals, multiplexers, tools that run on
 * other machines or in other places. Where it begins depends on options that have no common form: each place is one
 * where it could.
 */
const LOOSE = new Set(
  `tmux screen byobu zellij abduco dtach tmate mosh et autossh dbclient rsh remsh
  xterm uxterm lxterm urxvt rxvt gnome-terminal konsole alacritty kitty foot wezterm terminator tilix xfce4-terminal
  lxterminal qterminal mate-terminal x-terminal-emulator st terminology guake cool-retro-term
  ansible salt salt-call salt-ssh pssh parallel-ssh pdsh clush dsh cssh mussh fab fabric capistrano knife bolt
  wine wine64 box64 box86 fex mono dosbox flatpak flatpak-spawn snap singularity apptainer toolbox distrobox
  minikube multipass machinectl buildah nerdctl ctr crictl lima limactl colima wsl
  inotifywait fswatch reflex onchange chokidar watchman watchman-make gow air ifne rush xe pexec
  multitime gtime dtruss uftrace heaptrack rr bpftrace sysdig pidstat oprofile operf callgrind_control vtune ncu nsys
  asciinema ttyrec ttyd gotty wetty xinit startx dbus-launch cage weston sway gamescope minijail0 nsjail
  bubblewrap fakechroot sandbox-exec caffeinate launchctl daemonize daemon supervise
  gksudo gksu kdesu please run0 dzdo sudo-rs calife super
  nodenv goenv jenv rvm pkgx flox guix spack sdk proto corepack lerna nx rush-pnpm wsrun npm-run-all
  start-server-and-test envchain chamber infisical teller sops berglas foreman honcho overmind with-contenv envdir
  setuidgid s6-setuidgid s6-envdir s6-setlock s6-softlimit envuidgid pgrphack execlineb foreground background
  pdm rye tox nox rails mix composer xdotool wtype ydotool msgfilter msgexec ctest run-one
  run-this-one keep-one-running run-mailcap xdg-open service initctl qemu-user genie`.split(/\s+/),
);
const NOTHING: readonly NestedScript[] = [];
/** Of these the words can be a command of their own again: `tmux if true "run-shell 'cmd'"`. */
const RECURSIVE = new Set(['tmux', 'screen', 'byobu', 'tmate']);
/** No program is called so. */
const NAMES_FILES = /^\S*(?:\*\*|\*\.\w+)\S*$/;
/** More places than these are not told apart. */
const MAX_PLACES = 64;

/** What a program runs that may run its words from any place on. */
export function looseScripts(program: string, words: readonly ShellWord[]): readonly NestedScript[] {
  if (!LOOSE.has(program) && !program.startsWith('qemu-')) return NOTHING;
  if (words.length > MAX_PLACES) return UNKNOWN.scripts;
  return words.flatMap(({ text }, index): NestedScript[] => {
    const value = /^-[^=]*=([\s\S]+)$/.exec(text)?.[1];
    if (value !== undefined) return [{ text: value, guessed: true }];
    if (text.startsWith('-') || NAMES_FILES.test(text)) return [];
    const again = RECURSIVE.has(program) && /\s/.test(text) ? [{ text: `${program} ${text}`, guessed: true }] : [];
    return [{ text: joined(words.slice(index)), guessed: true }, ...again];
  });
}
