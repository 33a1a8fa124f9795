/**
 * A process that starts commands, in Perl: of what a Debian image always has it is the only thing that can fork, change
 * user and groups, and become the command without another program between. Small where Node is large, so that a fork
 * costs little; and the kernel's price for one `exec` is saved with `setpriv`. Its memory is root's and its code is
 * fixed: a command is bytes to it, never text that it evaluates.
 *
 * Makes the named pipes it is given as arguments. Then reads `[length][fields, each with its length]`; says `ready`,
 * `started <id> <pid>`, `ended <id> <wait status>` and `error <id> <errno>`, a line each. Ends with its input.
 */
export const SPAWNER_SCRIPT = String.raw`
use strict;
# Its calls without its wrapper, which would take half of this process's start to compile.
BEGIN {
  require XSLoader;
  eval { package POSIX; XSLoader::load('POSIX'); defined &POSIX::mkfifo } or require POSIX;
}
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
  my @fds = (POSIX::open($stdin, 0), POSIX::open($stdout, 1), POSIX::open($stderr, 1));
  # Before the fork: from its first moment the child can be found by its mark.
  $) = "0 $mark";
  my $pid = fork;
  my $error = $! + 0;
  if (defined $pid && $pid == 0) {
    my $fail = sub { say_line("error $id $_[0]"); POSIX::_exit(125) };
    POSIX::setsid();
    if (sysopen my $score, '/proc/self/oom_score_adj', 1) { syswrite $score, '500'; close $score }
    $) = "$gid $mark";
    POSIX::setgid($gid);
    POSIX::setuid($uid);
    "$<,$>,$(,$)" eq "$uid,$uid,$gid $mark,$gid $mark" or $fail->(1);
    chdir $cwd or $fail->($! + 0);
    for my $number (0 .. 2) { defined $fds[$number] && POSIX::dup2($fds[$number], $number) or $fail->(9) }
    $_ > 2 && POSIX::close($_) for @fds;
    %ENV = map { split /=/, $_, 2 } @rest;
    no warnings;
    exec { $argv[0] } @argv;
    my $why = $! + 0;
    $fail->($why) if $why == 7 || $why == 11 || $why == 12;
    syswrite STDERR, "$argv[0]: $!\n";
    POSIX::_exit($why == 2 ? 127 : 126);
  }
  defined && POSIX::close($_) for @fds;
  $) = '0 0';
  return say_line("error $id $error") unless defined $pid;
  $ids{$pid} = $id;
  say_line("started $id $pid");
}

my $umask = umask 0;
POSIX::mkfifo($_, 0666) or exit 1 for @ARGV;
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
