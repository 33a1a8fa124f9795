/**
 * Other names of subcommands: `publish=pub` is one by all of its names. Where it has subcommands of its own, a line
 * names it with the program.
 */
const ALIASES: Readonly<Record<string, string>> = {
  npm: `install=add=i=in=ins=inst=insta=instal=isnt=isnta=isntal=isntall uninstall=unlink=remove=rm=r=un publish
    ci=clean-install=ic=install-clean=isntall-clean update=u=up=upgrade=udpate run=run-script=rum=urn test=t=tst exec=x
    config=c link=ln owner=author search=s=se=find view=v=info=show init=create=innit ls=list dist-tag=dist-tags
    install-test=it=sit install-ci-test=cit=clean-install-test adduser=add-user rebuild=rb dedupe=ddp version=verison
    explain=why bugs=issues docs=home org=ogr ll=la access approve-scripts audit cache completion deny-scripts deprecate
    diff doctor edit explore find-dupes fund get help=hlep help-search install-scripts login logout outdated pack ping pkg
    prefix profile prune query repo restart root sbom set shrinkwrap stage star stars start stop team token trust
    undeprecate unpublish unstar whoami`,
  pnpm: `install=i add remove=rm=uninstall=un update=up=upgrade run=run-script test=t=tst exec dlx link=ln unlink=dislink
    list=ls outdated rebuild=rb config=c publish create dedupe`,
  yarn: `up=upgrade remove=rm run npm dlx`,
  bun: `install=i add=a remove=rm publish update test run x`,
  cargo: `build=b check=c clean doc=d run=r test=t remove=rm publish install update add`,
  git: `add=stage annotate=blame`,
  docker: `container=containers image volume network`,
  'docker container': `ls=list=ps rm=remove`,
  'docker image': `rm=remove=rmi ls=list=images`,
  'docker volume': `rm=remove ls=list`,
  'docker network': `rm=remove ls=list`,
  kubectl: `delete=rm=del apply exec`,
  helm: `uninstall=delete=del=un list=ls install upgrade search`,
  gh: `codespace=cs extension=ext=extensions attestation=at`,
  ...Object.fromEntries(
    ['pr', 'issue', 'release', 'repo', 'gist', 'secret', 'variable'].map((group) => [
      `gh ${group}`,
      'create=new list=ls delete=remove',
    ]),
  ),
  'gh extension': `remove=rm list=ls`,
  brew: `install uninstall=remove=rm list=ls upgrade`,
  apt: `remove purge=autopurge install`,
  gem: `build cert check cleanup contents dependency environment exec fetch generate_index help info install=i list lock
    mirror open outdated owner push query rdoc rebuild search server signin signout sources specification stale uninstall
    unpack update which yank`,
  composer: `about archive audit browse=home bump check-platform-reqs=c clear-cache=clearcache=cc config create-project
    depends=why diagnose dump-autoload=dumpautoload exec fund global help init install=i licenses list outdated
    prohibits=why-not reinstall remove=rm=uninstall require=r run-script=run search self-update=selfupdate show=info
    status suggests update=u=upgrade validate`,
  uv: `publish pip add remove sync run tool`,
  poetry: `publish add remove install run`,
  pip: `install uninstall download`,
  systemctl: `stop start restart disable enable`,
  terraform: `apply destroy`,
};

/** Programs that take the beginning of a subcommand's name for it. */
const ABBREVIATING = new Set(['npm', 'gem', 'composer']);

/** Subcommands of a group that need no group before them: `docker run` is `docker container run`. */
const GROUPS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  docker: {
    container: `attach commit cp create diff exec export kill logs ls list ps pause port rename restart rm remove run start
      stats stop top unpause update wait`,
    image: `build history images import load pull push rmi save tag`,
  },
  yarn: { npm: `publish login logout whoami tag info audit` },
};

const canonical = new Map(Object.entries(ALIASES).map(([owner, text]) => [owner, readAliases(text)]));
const groups = new Map(
  Object.entries(GROUPS).map(([program, own]) => [
    program,
    new Map(Object.entries(own).map(([group, text]) => [group, new Set(text.split(/\s+/))])),
  ]),
);

/** A rule's operands with each subcommand by its one name, behind the group that it belongs to. */
export function canonicalSubcommands(program: string, operands: readonly string[]): readonly string[] {
  const [first] = operands;
  const owner = ownerOf(program);
  if (first === undefined || !canonical.has(owner)) return operands;
  const group = [...(groups.get(owner) ?? [])].find(([, members]) => members.has(first))?.[0];
  const all = group === undefined ? operands : [group, ...operands];
  return all.map((word, order) => {
    const names = new Set(subcommandNames(owner, all.slice(0, order), word));
    const [only] = names;
    return names.size === 1 && only !== undefined ? only : word;
  });
}

/** The names that a word may stand for behind these subcommands. */
export function subcommandNames(program: string, before: readonly string[], word: string): readonly string[] {
  const owner = ownerOf(program);
  const names = canonical.get(before.length === 0 ? owner : key(owner, before));
  if (names === undefined) return [];
  // npm reads `installTest` as `install-test`.
  const typed = owner === 'npm' ? word.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) : word;
  const known = names.get(typed);
  if (known !== undefined) return [known];
  if (!ABBREVIATING.has(owner) || before.length > 0 || typed === '') return [];
  // What begins several is refused by the program: taking it for all of them lets none through.
  return [...names].flatMap(([name, stands]) => (name.startsWith(typed) ? stands : []));
}

/** Whether a subcommand belongs to a group that may be left out. */
export function impliesGroup(program: string, group: string, word: string): boolean {
  return groups.get(ownerOf(program))?.get(group)?.has(word) === true;
}

/** Names under which a rule of this program may file a word of a command. */
export function filedNames(program: string, word: string): readonly string[] {
  const owner = ownerOf(program);
  if (!canonical.has(owner)) return [];
  const before = [
    [],
    ...[...(groups.get(owner)?.keys() ?? []), ...(SECOND_LEVEL.get(owner) ?? [])].map((group) => [group]),
  ];
  return before.flatMap((path) => subcommandNames(owner, path, word));
}

const SECOND_LEVEL = new Map<string, string[]>();
for (const name of canonical.keys()) {
  const [program = '', group] = name.split(' ');
  if (group !== undefined) SECOND_LEVEL.set(program, [...(SECOND_LEVEL.get(program) ?? []), group]);
}

function ownerOf(program: string): string {
  if (program === 'podman' || program === 'nerdctl') return 'docker';
  return program === 'apt-get' ? 'apt' : program === 'oc' ? 'kubectl' : program;
}

function key(program: string, before: readonly string[]): string {
  return [program, ...before].join(' ');
}

function readAliases(text: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const token of text.split(/\s+/)) {
    const [first = '', ...others] = token.split('=');
    for (const name of [first, ...others]) names.set(name, first);
  }
  return names;
}
