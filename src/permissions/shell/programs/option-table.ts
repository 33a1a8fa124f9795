/**
 * The spellings of programs' options, a line for one program or for several that share them. `d=delete=D` is one option
 * by all of its names, a single character being a short one; `D>d,f` stands for others together. `-`: one dash begins a
 * long option. `bundled`: the first word may be letters of options without a dash. A long option by itself is there
 * because it begins another one's name. Above 250 lines so that all of it is looked up and compared in one place.
 */
export const OPTION_TABLE = `
apk: f=force q=quiet v=verbose U=update-cache X=repository t=virtual
apt: y=yes=assume-yes q=quiet d=download-only s=simulate=just-print=dry-run=recon=no-act f=fix-broken m=ignore-missing=fix-missing u=show-upgraded b=compile=build t=target-release=default-release c=config-file o=option V=verbose-versions allow-unauthenticated
awk: f=file F=field-separator v=assign i=include l=load e=source o=pretty-print d=dump-variables p=profile D=debug E=exec
b2sum: b=binary c=check l=length t=text z=zero w=warn
base32, base64, basenc: d=decode i=ignore-garbage w=wrap
basename: a=multiple s=suffix z=zero
brew: f=force q=quiet v=verbose n=dry-run s=build-from-source d=debug
bun: g=global d=dev=D=development f=force y=yes E=exact p=production
bundle: j=jobs V=verbose
bzip2: d=decompress z=compress k=keep f=force t=test c=stdout q=quiet v=verbose s=small
cargo install, docker container prune, docker image rm, docker volume rm, docker network rm, docker network prune, docker swarm leave: f=force
cargo: v=verbose q=quiet p=package F=features j=jobs r=release n=dry-run l=list
cat: A=show-all b=number-nonblank E=show-ends n=number s=squeeze-blank T=show-tabs v=show-nonprinting
chgrp, chown: c=changes f=silent=quiet v=verbose h=no-dereference R=recursive
chmod: c=changes f=silent=quiet v=verbose R=recursive
cksum: a=algorithm c=check l=length z=zero w=warn
cmp: b=print-bytes i=ignore-initial l=verbose n=bytes s=quiet=silent
comm: z=zero-terminated
composer: n=no-interaction v=verbose q=quiet d=working-dir o=optimize-autoloader W=with-all-dependencies
cp: a=archive b=backup d=no-dereference p=preserve f=force i=interactive l=link L=dereference n=no-clobber r=R=recursive s=symbolic-link S=suffix t=target-directory T=no-target-directory u=update v=verbose x=one-file-system a>r,d,p
csplit: b=suffix-format f=prefix k=keep-files n=digits s=quiet=silent z=elide-empty-files
curl: a=append E=cert K=config C=continue-at b=cookie c=cookie-jar d=data=data-ascii q=disable D=dump-header f=fail F=form P=ftp-port G=get g=globoff I=head H=header i=include=show-headers k=insecure 4=ipv4 6=ipv6 j=junk-session-cookies l=list-only L=location m=max-time n=netrc N=no-buffer o=output Z=parallel x=proxy U=proxy-user p=proxytunnel Q=quote r=range e=referer J=remote-header-name O=remote-name R=remote-time X=request S=show-error s=silent Y=speed-limit y=speed-time 2=sslv2 3=sslv3 t=telnet-option z=time-cond 1=tlsv1 T=upload-file u=user A=user-agent v=verbose w=write-out B=use-ascii cert-status cert-type proxy-header data-binary data-raw data-urlencode fail-with-body form-string
cut: b=bytes c=characters d=delimiter f=fields s=only-delimited z=zero-terminated
date: d=date f=file I=iso-8601 R=rfc-email r=reference s=set u=utc=universal
deno: A=allow-all r=reload q=quiet c=config L=log-level W=allow-write R=allow-read N=allow-net E=allow-env S=allow-sys
df: a=all B=block-size h=human-readable H=si i=inodes l=local P=portability t=type T=print-type x=exclude-type
diff3: A=show-all e=ed E=show-overlap 3=easy-only x=overlap-only m=merge a=text T=initial-tab L=label
diff: q=brief s=report-identical-files c=C=context u=U=unified e=ed n=rcs y=side-by-side W=width p=show-c-function F=show-function-line t=expand-tabs T=initial-tab l=paginate r=recursive N=new-file x=exclude X=exclude-from S=starting-file i=ignore-case E=ignore-tab-expansion Z=ignore-trailing-space b=ignore-space-change w=ignore-all-space B=ignore-blank-lines I=ignore-matching-lines a=text D=ifdef d=minimal
dnf: y=assumeyes q=quiet v=verbose C=cacheonly x=exclude
docker buildx build: f=file t=tag o=output q=quiet
docker compose down: v=volumes t=timeout
docker compose exec: d=detach e=env T=no-TTY u=user w=workdir i=interactive t=tty
docker compose rm: f=force s=stop v=volumes
docker compose run: d=detach e=env v=volume p=publish T=no-TTY u=user w=workdir P=service-ports l=label i=interactive t=tty
docker compose up: d=detach V=renew-anon-volumes t=timeout
docker compose: f=file p=project-name
docker container cp: a=archive L=follow-link q=quiet
docker container create: a=attach c=cpu-shares e=env h=hostname i=interactive l=label m=memory p=publish P=publish-all q=quiet t=tty u=user v=volume w=workdir
docker container exec: d=detach e=env i=interactive t=tty u=user w=workdir
docker container kill: s=signal
docker container logs, docker compose logs: f=follow n=tail t=timestamps
docker container rm: f=force l=link v=volumes
docker container run: a=attach c=cpu-shares d=detach e=env h=hostname i=interactive l=label m=memory p=publish P=publish-all q=quiet t=tty u=user v=volume w=workdir
docker container start: a=attach i=interactive
docker container stop: s=signal t=timeout
docker image build: c=cpu-shares f=file m=memory q=quiet t=tag
docker image load: i=input q=quiet
docker image ls: a=all f=filter q=quiet
docker image prune, docker volume prune, docker system prune, docker builder prune: a=all f=force
docker image push, docker image pull: a=all-tags q=quiet
docker image save: o=output
docker login: p=password u=username
docker network create: d=driver o=opt
docker secret create: d=driver l=label
docker service: d=detach q=quiet e=env p=publish u=user w=workdir
docker stack deploy: c=compose-file d=detach q=quiet
docker: c=context D=debug H=host l=log-level
du: 0=null a=all B=block-size b=bytes c=total D=dereference-args d=max-depth h=human-readable L=dereference l=count-links P=no-dereference S=separate-dirs s=summarize t=threshold X=exclude-from x=one-file-system exclude
env: i=ignore-environment 0=null u=unset C=chdir S=split-string v=debug
eslint: c=config f=format o=output-file
expand: i=initial t=tabs
fd: x=exec X=exec-batch H=hidden I=no-ignore u=unrestricted e=extension t=type L=follow E=exclude d=max-depth a=absolute-path 0=print0 s=case-sensitive i=ignore-case g=glob F=fixed-strings p=full-path S=size
file: m=magic-file z=uncompress Z=uncompress-noreport b=brief c=checking-printout e=exclude f=files-from F=separator i=mime k=keep-going l=list L=dereference h=no-dereference n=no-buffer N=no-pad 0=print0 p=preserve-date P=parameter r=raw s=special-files S=no-sandbox C=compile d=debug
find: - exec=execdir=ok=okdir fprint=fprintf=fprint0=fls
fmt: c=crown-margin p=prefix s=split-only t=tagged-paragraph u=uniform-spacing w=width g=goal
fold: b=bytes s=spaces w=width
gem: v=version f=force i=install-dir n=bindir
gh api: X=method F=field f=raw-field H=header i=include
gh pr close: d=delete-branch c=comment
gh pr create: d=draft f=fill B=base H=head a=assignee l=label r=reviewer
gh pr merge: d=delete-branch m=merge s=squash r=rebase
gh release create: d=draft p=prerelease n=notes F=notes-file
gh secret set: e=env f=env-file o=org
gh workflow run: f=raw-field F=field r=ref
gh: R=repo F=body-file b=body t=title w=web y=yes=confirm q=jq
git add: n=dry-run v=verbose i=interactive p=patch e=edit f=force u=update N=intent-to-add A=all=no-ignore-removal
git am: i=interactive q=quiet s=signoff u=utf8 k=keep m=message-id c=scissors r=resolved S=gpg-sign
git apply: N=intent-to-add R=reverse v=verbose q=quiet
git archive: o=output v=verbose l=list
git blame: f=show-name n=show-number p=porcelain e=show-email
git branch: v=verbose q=quiet t=track u=set-upstream-to r=remotes a=all d=delete m=move c=copy l=list f=force i=ignore-case D>d,f M>m,f C>c,f
git checkout: q=quiet m=merge d=detach t=track f=force l 2=ours 3=theirs p=patch
git cherry-pick, git revert: n=no-commit e=edit s=signoff m=mainline X=strategy-option S=gpg-sign strategy
git clean: q=quiet n=dry-run f=force i=interactive e=exclude
git clone: v=verbose q=quiet n=no-checkout l=local s=shared j=jobs o=origin b=branch u=upload-pack c=config 4=ipv4 6=ipv6 recursive=recurse-submodules
git commit: q=quiet v=verbose F=file m=message c=reedit-message C=reuse-message s=signoff t=template e=edit S=gpg-sign a=all i=include p=patch o=only n=no-verify z=null u=untracked-files
git config: f=file l=list e=edit t=type z=null
git diff: u=p=patch a=text R=reverse S=pickaxe q=quiet M=find-renames C=find-copies O=orderfile z=null W=function-context
git fetch: v=verbose q=quiet a=append f=force m=multiple t=tags n=no-tags j=jobs p=prune P=prune-tags k=keep u=update-head-ok o=server-option 4=ipv4 6=ipv6
git for-each-ref: s=shell p=perl
git format-patch: n=numbered N=no-numbered s=signoff v=reroll-count o=output-directory k=keep-subject p=no-stat q=quiet
git gc: q=quiet
git grep: v=invert-match i=ignore-case w=word-regexp a=text r=recursive E=extended-regexp G=basic-regexp F=fixed-strings P=perl-regexp n=line-number l=files-with-matches L=files-without-match z=null o=only-matching c=count C=context B=before-context A=after-context p=show-function W=function-context q=quiet O=open-files-in-pager m=max-count
git init: q=quiet b=initial-branch
git log: u=p=patch q=quiet n=max-count g=walk-reflogs
git ls-files: c=cached d=deleted m=modified o=others i=ignored s=stage k=killed u=unmerged x=exclude X=exclude-from
git ls-tree: l=long
git merge: e=edit s=strategy X=strategy-option m=message F=file v=verbose q=quiet S=gpg-sign
git mv: v=verbose n=dry-run f=force
git notes: f=force m=message F=file
git pull: v=verbose q=quiet r=rebase s=strategy X=strategy-option S=gpg-sign a=append f=force t=tags p=prune j=jobs k=keep o=server-option 4=ipv4 6=ipv6
git push: v=verbose q=quiet d=delete n=dry-run f=force u=set-upstream o=push-option 4=ipv4 6=ipv6 all=branches exec=receive-pack
git rebase: q=quiet v=verbose n=no-stat f=force-rebase m=merge i=interactive S=gpg-sign x=exec r=rebase-merges s=strategy X=strategy-option
git reflog: n=dry-run
git remote: v=verbose
git repack: A=a f=no-reuse-delta F=no-reuse-object q=quiet l=local b=write-bitmap-index i=delta-islands k=keep-unreachable g=geometric m=write-midx
git replace: l=list d=delete e=edit g=graft f=force
git reset: q=quiet p=patch N=intent-to-add
git restore: s=source S=staged W=worktree q=quiet m=merge 2=ours 3=theirs p=patch
git rm: n=dry-run q=quiet f=force
git shortlog: c=committer n=numbered s=summary e=email
git show-ref: d=dereference s=hash q=quiet
git show: u=p=patch q=quiet
git stash: u=include-untracked a=all k=keep-index p=patch q=quiet S=staged m=message
git status: v=verbose s=short b=branch z=null u=untracked-files M=find-renames
git submodule: q=quiet f=force b=branch
git switch: c=create C=force-create q=quiet m=merge d=detach t=track f=force=discard-changes
git symbolic-ref: q=quiet d=delete
git tag: l=list d=delete v=verify a=annotate m=message F=file e=edit s=sign u=local-user f=force i=ignore-case n
git update-index: z=stdin g=again
git update-ref: d=delete z=null
git worktree: f=force b=B d=detach
grep: E=extended-regexp F=fixed-strings G=basic-regexp P=perl-regexp e=regexp f=file i=y=ignore-case w=word-regexp x=line-regexp z=null-data s=no-messages v=invert-match m=max-count b=byte-offset n=line-number H=with-filename h=no-filename o=only-matching q=quiet=silent a=text I=binary-files d=directories D=devices r=R=recursive=dereference-recursive L=files-without-match l=files-with-matches c=count T=initial-tab Z=null U=binary A=after-context B=before-context C=context
gzip, gunzip, zcat, uncompress: 1=fast 9=best c=stdout=to-stdout d=decompress=uncompress f=force k=keep l=list n=no-name N=name q=quiet r=recursive S=suffix t=test v=verbose
head: c=bytes n=lines q=quiet=silent v=verbose z=zero-terminated
helm: n=namespace f=values i=install g=generate-name o=output a=atomic
id: Z=context g=group G=groups n=name r=real u=user z=zero
install: b=backup C=compare d=directory g=group m=mode o=owner p=preserve-timestamps s=strip S=suffix t=target-directory T=no-target-directory v=verbose
jest: u=updateSnapshot w=maxWorkers t=testNamePattern c=config i=runInBand o=onlyChanged
join: i=ignore-case z=zero-terminated
jq: a=ascii C=color=color-output M=monochrome=monochrome-output n=null-input r=raw-output R=raw-input s=slurp c=compact-output=compact S=sort-keys e=exit-status f=from-file L=library-path j=join-output a=ascii-output
kill: - 9=KILL=SIGKILL=s=n=signal
killall: - 9=KILL=SIGKILL=s=signal
kubectl delete: i=interactive
kubectl logs: f=follow p=previous
kubectl run: l=labels
kubectl: n=namespace s=server A=all-namespaces f=filename k=kustomize o=output R=recursive l=selector w=watch c=container p=patch i=stdin t=tty q=quiet
ln: b=backup d=F=directory f=force i=interactive L=logical n=no-dereference P=physical r=relative s=symbolic S=suffix t=target-directory T=no-target-directory v=verbose
ls: a=all A=almost-all b=escape B=ignore-backups d=directory D=dired F=classify G=no-group h=human-readable H=dereference-command-line i=inode I=ignore k=kibibytes L=dereference n=numeric-uid-gid N=literal q=hide-control-chars Q=quote-name r=reverse R=recursive s=size T=tabsize w=width Z=context f>a,U
make: b=m B=always-make C=directory e=environment-overrides E=eval f=file=makefile i=ignore-errors I=include-dir j=jobs k=keep-going l=load-average=max-load L=check-symlink-times n=just-print=dry-run=recon o=old-file=assume-old O=output-sync p=print-data-base q=question r=no-builtin-rules R=no-builtin-variables s=silent=quiet S=no-keep-going=stop t=touch w=print-directory W=what-if=new-file=assume-new
md5sum, sha1sum, sha256sum, sha512sum: b=binary c=check t=text z=zero w=warn
mkdir: m=mode p=parents v=verbose Z=context
mkfifo, mknod: m=mode
mktemp: d=directory u=dry-run q=quiet p=tmpdir
mount: o=options t=types a=all B=bind R=rbind r=read-only w=rw=read-write v=verbose
mv: b=backup f=force i=interactive n=no-clobber S=suffix t=target-directory T=no-target-directory u=update v=verbose Z=context
mysql: e=execute u=user p=password h=host P=port D=database f=force B=batch N=skip-column-names s=silent
nice: n=adjustment
nl: b=body-numbering d=section-delimiter f=footer-numbering h=header-numbering i=line-increment l=join-blank-lines n=number-format p=no-renumber s=number-separator v=starting-line-number w=number-width
node: e=eval p=print r=require c=check i=interactive C=conditions
npm: g=global=location=L f=force y=yes S=save B=save-bundle D=save-dev E=save-exact O=save-optional P=save-prod a=all c=call l=long m=message p=parseable C=prefix w=workspace ws=workspaces q=quiet s=silent reg=registry
npx: y=yes p=package c=call w=workspace
numfmt: d=delimiter z=zero-terminated
od: A=address-radix j=skip-bytes N=read-bytes S=strings t=format v=output-duplicates w=width
pacman: S=sync R=remove U=upgrade Q=query D=database F=files T=deptest y=refresh u=sysupgrade c=clean=cascade s=recursive=search n=nosave
paste: d=delimiters s=serial z=zero-terminated
patch: l=ignore-whitespace c=context d=directory e=ed i=input n=normal N=forward o=output p=strip r=reject-file R=reverse u=unified E=remove-empty-files b=backup t=batch f=force s=quiet=silent F=fuzz
pg_dump: f=file F=format j=jobs v=verbose Z=compress a=data-only b=blobs B=no-blobs c=clean C=create e=extension E=encoding n=schema N=exclude-schema O=no-owner s=schema-only S=superuser t=table T=exclude-table x=no-privileges d=dbname h=host p=port U=username w=no-password W=password
pip download: c=constraint r=requirement d=dest=destination-dir=destination-directory i=index-url f=find-links v=verbose q=quiet
pip install: r=requirement c=constraint e=editable t=target U=upgrade I=ignore-installed C=config-settings i=index-url=pypi-url f=find-links v=verbose q=quiet user
pip uninstall: r=requirement y=yes v=verbose q=quiet
pip wheel: w=wheel-dir c=constraint e=editable r=requirement C=config-settings i=index-url f=find-links
pip: v=verbose q=quiet
pkill: - 9=KILL=SIGKILL=signal f=full
pnpm: g=global f=force y=yes D=save-dev E=save-exact O=save-optional P=save-prod r=recursive w=workspace-root F=filter C=dir s=silent
poetry: n=no-interaction v=verbose q=quiet G=group D=dev C=directory P=project
pr: a=across c=show-control-chars d=double-space D=date-format e=expand-tabs F=f=form-feed h=header i=output-tabs J=join-lines l=length m=merge n=number-lines N=first-line-number o=indent r=no-file-warnings s=separator S=sep-string t=omit-header T=omit-pagination v=show-nonprinting w=width W=page-width
prettier: w=write c=check l=list-different u=ignore-unknown
printenv: 0=null
ps, ar: bundled
psql: c=command d=dbname f=file l=list v=set=variable X=no-psqlrc 1=single-transaction a=echo-all b=echo-errors e=echo-queries E=echo-hidden L=log-file n=no-readline o=output q=quiet s=single-step S=single-line A=no-align F=field-separator H=html P=pset R=record-separator t=tuples-only T=table-attr x=expanded z=field-separator-zero 0=record-separator-zero h=host p=port U=username w=no-password W=password
pwd: L=logical P=physical
readlink: f=canonicalize e=canonicalize-existing m=canonicalize-missing n=no-newline q=quiet s=silent v=verbose z=zero
realpath: e=canonicalize-existing m=canonicalize-missing L=logical P=physical q=quiet s=strip=no-symlinks z=zero
rg: m=max-count q=quiet I=no-filename 0=null b=byte-offset d=max-depth M=max-columns A=after-context B=before-context C=context e=regexp f=file g=glob i=ignore-case l=files-with-matches L=follow n=line-number N=no-line-number o=only-matching P=pcre2 r=replace s=case-sensitive S=smart-case t=type T=type-not u=unrestricted U=multiline v=invert-match w=word-regexp x=line-regexp z=search-zip a=text c=count F=fixed-strings .=hidden pre
rm: f=force r=R=recursive d=dir i=interactive v=verbose
rmdir: p=parents v=verbose
rsync: a=archive v=verbose q=quiet c=checksum r=recursive R=relative b=backup u=update l=links L=copy-links k=copy-dirlinks K=keep-dirlinks H=hard-links p=perms A=acls X=xattrs o=owner g=group D=devices t=times O=omit-dir-times S=sparse n=dry-run W=whole-file x=one-file-system e=rsh C=cvs-exclude f=filter 0=from0 s=protect-args=secluded-args T=temp-dir y=fuzzy z=compress h=human-readable P=partial i=itemize-changes M=remote-option 4=ipv4 6=ipv6 del=delete=delete-before=delete-during=delete-delay=delete-after=delete-excluded backup-dir compress-level a>r,l,p,t,g,o,D
sdiff: o=output i=ignore-case E=ignore-tab-expansion Z=ignore-trailing-space b=ignore-space-change W=ignore-all-space B=ignore-blank-lines I=ignore-matching-lines a=text w=width l=left-column s=suppress-common-lines t=expand-tabs d=minimal H=speed-large-files
sed: n=quiet=silent e=expression f=file i=in-place l=line-length E=r=regexp-extended s=separate u=unbuffered z=null-data
seq: f=format s=separator w=equal-width
shred: f=force n=iterations s=size u=remove v=verbose x=exact z=zero
shuf: e=echo i=input-range n=head-count o=output r=repeat z=zero-terminated
sort: b=ignore-leading-blanks d=dictionary-order f=ignore-case g=general-numeric-sort i=ignore-nonprinting M=month-sort h=human-numeric-sort n=numeric-sort R=random-sort r=reverse V=version-sort c=C=check k=key m=merge o=output s=stable S=buffer-size t=field-separator T=temporary-directory u=unique z=zero-terminated
split: a=suffix-length b=bytes C=line-bytes d=numeric-suffixes x=hex-suffixes e=elide-empty-files l=lines n=number t=separator u=unbuffered
sqlite3, go, terraform, tofu, packer, java, openssl, ffmpeg: -
stat: L=dereference f=file-system c=format t=terse
stdbuf: i=input o=output e=error
su: c=command l=login s=shell g=group G=supp-group m=p=preserve-environment f=fast
sudo: u=user g=group i=login s=shell E=preserve-env n=non-interactive S=stdin b=background e=edit k=reset-timestamp K=remove-timestamp H=set-home l=list v=validate A=askpass D=chdir h=host p=prompt
sum: s=sysv
sync: d=data f=file-system
systemctl: H=host M=machine t=type p=property a=all l=full r=recursive s=signal q=quiet f=force n=lines o=output
tac: b=before r=regex s=separator
tail: c=bytes f=follow n=lines q=quiet=silent s=sleep-interval v=verbose z=zero-terminated F>f,retry
tar: bundled A=catenate=concatenate c=create d=diff=compare r=append t=list u=update x=extract=get g=listed-incremental G=incremental n=seek S=sparse C=directory T=files-from X=exclude-from k=keep-old-files U=unlink-first W=verify O=to-stdout m=touch p=preserve-permissions=same-permissions=preserve s=preserve-order=same-order f=file F=info-script=new-volume-script L=tape-length M=multi-volume b=blocking-factor B=read-full-records i=ignore-zeros H=format V=label a=auto-compress I=use-compress-program j=bzip2 J=xz z=gzip=gunzip=ungzip Z=compress=uncompress h=dereference K=starting-file N=newer=after-date P=absolute-names transform=xform l=check-links R=block-number show-transformed-names=show-stored-names v=verbose w=interactive=confirmation exclude
tee: a=append i=ignore-interrupts
timeout: k=kill-after s=signal v=verbose
touch: c=no-create d=date h=no-dereference r=reference
tr: c=C=complement d=delete s=squeeze-repeats t=truncate-set1
truncate: c=no-create o=io-blocks r=reference s=size
tsc: w=watch p=project b=build d=declaration
tty: s=silent=quiet
twine: r=repository u=username p=password s=sign c=comment
umount: f=force l=lazy a=all R=recursive r=read-only
uname: a=all s=kernel-name n=nodename r=kernel-release v=kernel-version m=machine p=processor i=hardware-platform o=operating-system
unexpand: a=all t=tabs
uniq: c=count d=repeated D=all-repeated f=skip-fields i=ignore-case s=skip-chars u=unique z=zero-terminated w=check-chars
uptime: p=pretty s=since
uv: v=verbose q=quiet n=no-cache p=python U=upgrade P=upgrade-package f=find-links i=index-url r=requirement c=constraint e=editable
vitest: u=update w=watch r=root c=config t=testNamePattern
wc: c=bytes m=chars l=lines L=max-line-length w=words
wget: b=background e=execute o=output-file a=append-output d=debug q=quiet v=verbose i=input-file F=force-html B=base t=tries O=output-document c=continue N=timestamping S=server-response T=timeout w=wait Q=quota 4=inet4-only 6=inet6-only x=force-directories P=directory-prefix E=adjust-extension=html-extension U=user-agent r=recursive l=level k=convert-links K=backup-converted m=mirror p=page-requisites A=accept R=reject D=domains H=span-hosts L=relative I=include-directories X=exclude-directories nc=no-clobber m>r,N,l
xargs: 0=null a=arg-file d=delimiter e=eof i=replace L=max-lines n=max-args o=open-tty P=max-procs p=interactive r=no-run-if-empty s=max-chars t=verbose x=exit
xz: z=compress d=decompress=uncompress t=test l=list k=keep f=force c=stdout=to-stdout e=extreme T=threads q=quiet v=verbose
yarn: D=dev E=exact P=peer O=optional W=ignore-workspace-root-check f=force s=silent A=all R=recursive
yq: c=compact j=join-output I=indent i=inplace=in-place=yaml-in-place n=null-input r=unwrapScalar=raw-output s=split-exp=slurp o=output-format p=input-format P=prettyPrint e=exit-status C=colors f=front-matter
zip: r=recurse-paths R=recurse-patterns m=move d=delete u=update f=freshen q=quiet e=encrypt x=exclude i=include T=test O=output-file j=junk-paths y=symlinks
zstd: k=keep d=decompress=uncompress f=force c=stdout v=verbose q=quiet r=recursive
`;
