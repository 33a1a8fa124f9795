/** Numbers of the system calls that Perl has no words of its own for, as the kernel has them: setsid, setresuid, setresgid, mknodat. */
const SYSTEM_CALLS: Partial<Record<NodeJS.Architecture, readonly number[]>> = {
  x64: [112, 117, 119, 259],
  arm64: [157, 147, 149, 33],
};

/**
 * Perl's arguments for a process that starts commands.
 * @param pipes paths of named pipes that it makes before anything else
 * @returns undefined on a processor for which the system calls are not known
 */
export function spawnerArguments(pipes: readonly string[]): string[] | undefined {
  const numbers = SYSTEM_CALLS[process.arch];
  return numbers === undefined ? undefined : ['-e', SCRIPT, ...numbers.map(String), ...pipes];
}

/**
 * A process that starts commands, in Perl: of what a Debian image always has it is the only thing that can fork, change
 * user and groups, and become the command without another program between. Small where Node is large, so that a fork
 * costs little; and the kernel's price for one `exec` is saved with `setpriv`. Its memory is root's and its code is
 * fixed: a command is bytes to it, never text that it evaluates. It does without Perl's POSIX module, which takes longer
 * to load than all else here: a session's first command waits for this process.
 *
 * Reads `[length][fields, each with its length]`; says `ready`, `started <id> <pid>`, `ended <id> <wait status>` and
 * `error <id> <errno>`, a line each. Ends with its input.
 */
const SCRIPT = String.raw`
use strict;
my ($setsid, $setresuid, $setresgid, $mknodat) = map { $_ + 0 } splice @ARGV, 0, 4;
open(my $in, '<&', 0) && open(my $out, '>&', 1) && open(STDIN, '<', '/dev/null') && open(STDOUT, '>', '/dev/null') or exit 1;
my (%ids, $buffer);
$buffer = '';
# Has to be there for the signal to end a wait; what it says is read with waitpid.
$SIG{CHLD} = sub {};

# A child's end may interrupt it; a line is too short to be written in part.
sub say_line {
  until (defined syswrite $out, "$_[0]\n") { $! == 4 or exit 1 }
}

sub start {
  my ($id, $uid, $gid, $mark, $cwd, $stdin, $stdout, $stderr, $count, @rest) = @_;
  my @argv = splice @rest, 0, $count;
  sysopen my $input, $stdin, 0;
  sysopen my $output, $stdout, 1;
  sysopen my $errors, $stderr, 1;
  # Before the fork: from its first moment the child can be found by its mark.
  $) = "0 $mark";
  my $pid = fork;
  my $error = $! + 0;
  if (defined $pid && $pid == 0) {
    my $fail = sub { say_line("error $id $_[0]"); exit 125 };
    syscall $setsid;
    if (sysopen my $score, '/proc/self/oom_score_adj', 1) { syswrite $score, '500'; close $score }
    $) = "$gid $mark";
    $_ += 0 for $uid, $gid;
    syscall($setresgid, $gid, $gid, $gid) == 0 && syscall($setresuid, $uid, $uid, $uid) == 0 or $fail->($! + 0);
    "$<,$>,$(,$)" eq "$uid,$uid,$gid $mark,$gid $mark" or $fail->(1);
    chdir $cwd or $fail->($! + 0);
    open(STDIN, '<&', $input) && open(STDOUT, '>&', $output) && open(STDERR, '>&', $errors) or $fail->(9);
    %ENV = map { split /=/, $_, 2 } @rest;
    exec { $argv[0] } @argv;
    my $why = $! + 0;
    $fail->($why) if $why == 7 || $why == 11 || $why == 12;
    syswrite STDERR, "$argv[0]: $!\n";
    exit($why == 2 ? 127 : 126);
  }
  $) = '0 0';
  return say_line("error $id $error") unless defined $pid;
  $ids{$pid} = $id;
  say_line("started $id $pid");
}

my $umask = umask 0;
syscall($mknodat, -100, $_, 010666, 0) == 0 or exit 1 for @ARGV;
umask $umask;
say_line('ready');
while (1) {
  vec(my $wanted = '', fileno $in, 1) = 1;
  # A signal just before the wait would not end it: with children it is a short one.
  if (select($wanted, undef, undef, %ids ? 0.05 : undef) > 0) {
    my $got = sysread $in, $buffer, 65536, length $buffer;
    exit 0 if defined $got && $got == 0;
  }
  while (length $buffer >= 4) {
    my $length = unpack 'N', $buffer;
    last if length $buffer < 4 + $length;
    start(unpack '(N/a*)*', substr substr($buffer, 0, 4 + $length, ''), 4);
  }
  while ((my $pid = waitpid -1, 1) > 0) {
    my $status = $?;
    my $id = delete $ids{$pid};
    say_line("ended $id $status") if defined $id;
  }
}
`;
