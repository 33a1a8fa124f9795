/**
 * Changes to just-bash's browser bundle, made while it is bundled. Each names the exact text it replaces and how often
 * that text occurs; a bundle in which it does not is not the version this was written for, and the build fails.
 *
 * Three purposes: output is exact bytes (the interpreter guesses from a string's characters whether it is text or
 * bytes); output is told while a command runs; messages say what is true here.
 */
export interface InterpreterPatch {
  find: string;
  replace: string;
  count?: number;
  why: string;
}

const HOOKS = 'caissonHooks';

export const INTERPRETER_PATCHES: readonly InterpreterPatch[] = [
  {
    why: 'bytes become text without loss, by the worker, instead of staying latin1 when they are not UTF-8',
    find: 'r=!1;for(let i=0;i<n.length;i++){let o=n.charCodeAt(i);if(o>255)return n;o>127&&(r=!0)}if(!r)return n;let s=new Uint8Array(n.length);for(let i=0;i<n.length;i++)s[i]=n.charCodeAt(i);try{return Z3.decode(s)}catch{return n}}',
    replace: `r;return ${HOOKS}.bytesToText(n)}`,
  },
  {
    why: 'text becomes bytes the same way',
    find: 'let n=K3.encode(e),r="";for(let s=0;s<n.length;s++)r+=String.fromCharCode(n[s]);return r}',
    replace: `return ${HOOKS}.textToBytes(e)}`,
  },
  {
    why: 'a finished command has text; guessing once more would turn the text "Ã©" into "é"',
    find: 'function $3(e){if(!e)return e;',
    replace: 'function $3(e){return e;',
  },
  {
    why: 'a command says why it could not use a file',
    find: 'n.length>0&&(t=e.executionScope.accountResult(t,"redirection"));let{stdout:l,stderr:c,exitCode:u}=t',
    replace: `t=${HOOKS}.withTrueComplaints(t,e.state.cwd);n.length>0&&(t=e.executionScope.accountResult(t,"redirection"));let{stdout:l,stderr:c,exitCode:u}=t`,
  },
  {
    why: 'bytes go into a file or on to a pipe as they are; a redirection that does anything else with stdout sees text only',
    find: 'if(l!==""||c!==""){let x=l,S=c;',
    replace: `if(l!==""||c!==""){h.kind==="file"&&h!==m||n.length===0&&h.kind==="live-stdout"&&m.kind==="live-stderr"||(l=${HOOKS}.outputText(l,d),d="utf8");let x=l,S=c;`,
  },
  {
    why: 'so what redirections leave is text',
    find: 'let w=Q(l,c,u);if(t.stdoutKind&&(w.stdoutKind=t.stdoutKind),t.stdoutEncoding==="binary"&&(w.stdoutEncoding="binary"),',
    replace: 'let w=Q(l,c,u);if(d==="binary"&&n.length===0&&(w.stdoutKind="bytes"),',
  },
  {
    why: 'the worker measures output many times faster',
    find: 'function _(e){let t=0;',
    replace: `function _(e){return ${HOOKS}.byteLength(e);let t=0;`,
  },
  {
    why: 'the encoding was guessed from the first 8 KiB',
    find: 'function x4(e){',
    replace: 'function x4(e){return"utf8";',
  },
  {
    why: '`\\303` in printf, %b and awk is a byte, not U+00C3',
    find: 'String.fromCharCode(parseInt(',
    replace: `${HOOKS}.byte(parseInt(`,
    count: 5,
  },
  {
    why: '`echo -e` octal',
    find: 'let o=parseInt(s,8)%256;t+=String.fromCharCode(o)',
    replace: `let o=parseInt(s,8)%256;t+=${HOOKS}.byte(o)`,
  },
  {
    why: '`echo -e` hexadecimal',
    find: 'let o=parseInt(s,16);t+=String.fromCharCode(o),n=i',
    replace: `let o=parseInt(s,16);t+=${HOOKS}.byte(o),n=i`,
  },
  {
    why: '`echo -e` as one text',
    find: 'if(i=o.output,o.stop)return',
    replace: `if(i=${HOOKS}.joined(o.output),o.stop)return`,
  },
  {
    why: '`printf` as one text',
    find: 'if(u===0&&i.length>0,n){',
    replace: `if(l=${HOOKS}.joined(l),n){`,
  },
  {
    why: '`printf %c` gives the first byte',
    find: 'let l=new TextEncoder().encode(n)[0];return{value:String.fromCharCode(l)',
    replace: `let l=new TextEncoder().encode(n)[0];return{value:${HOOKS}.byte(l)`,
  },
  { why: '`\\xHH` in printf', find: 'function d8(e){', replace: `function d8(e){return ${HOOKS}.bytes(e);` },
  { why: "`\\xHH` in $'…'", find: 'function mk(e){', replace: `function mk(e){return ${HOOKS}.bytes(e);` },
  {
    why: "octal in $'…'",
    find: 'let c=parseInt(a,8);r+=String.fromCharCode(c),s=l;break',
    replace: `let c=parseInt(a,8);r+=${HOOKS}.byte(c),s=l;break`,
  },
  {
    why: "$'…' as one text",
    find: '{part:Y.literal(r),endIndex:s}}function Vf(',
    replace: `{part:Y.literal(${HOOKS}.joined(r)),endIndex:s}}function Vf(`,
  },
  {
    why: '`read` takes bytes and gives text',
    find: 'I(R)}x===`\n`&&S.endsWith(`\n`)',
    replace: `I(R)}S=${HOOKS}.bytesToText(S);x===\`\\n\`&&S.endsWith(\`\\n\`)`,
  },
  {
    why: '`read -N` too',
    find: 'let z=d[0]||"REPLY";e.state.env.set(z,S)',
    replace: `let z=d[0]||"REPLY";e.state.env.set(z,${HOOKS}.bytesToText(S))`,
  },
  {
    why: '`mapfile` too',
    find: '"string_length");f.push(w)}',
    replace: `"string_length");f.push(${HOOKS}.bytesToText(w))}`,
  },
  {
    why: '`tr` has octal escapes',
    find: 'let l=e[i+1];o(l==="n"?`\n`:l==="t"?"\t":l==="r"?"\\r":l),i+=2;continue',
    replace: `let l=${HOOKS}.trEscape(e,i);o(l.character),i+=l.length;continue`,
  },
  {
    why: 'a redirection that fails says why, fails its command and not the script',
    find: 'catch(a){if(!s)throw a;return{error:Q("",`bash: ${t}: cannot open redirect target\n`,1)}}',
    replace: `catch(a){return{error:Q("",\`bash: \${t}: \${${HOOKS}.redirectionFailure(a)}\\n\`,1)}}`,
  },
  {
    why: 'so does one whose target fails later',
    find: 'let E=async(A,O,R)=>{A.append?await e.fs.appendFile(A.path,O,R):await e.fs.writeFile(A.path,O,R)}',
    replace: `let E=async(A,O,R)=>{try{A.append?await e.fs.appendFile(A.path,O,R):await e.fs.writeFile(A.path,O,R)}catch(B){c+=\`bash: \${A.path}: \${${HOOKS}.redirectionFailure(B)}\\n\`,u=1}}`,
  },
  {
    why: 'so does an input that cannot be read',
    find: 'catch{return p(Q("",`bash: ${S}: No such file or directory\n`,1),w)}',
    replace: `catch(B){return p(Q("",\`bash: \${S}: \${${HOOKS}.redirectionFailure(B)}\\n\`,1),w)}`,
  },
  {
    why: 'so does `<>`, which makes what is missing and empties nothing',
    find: 'try{let s=await e.fs.readFile(r);return n?{entry:{kind:"readwrite",path:r,position:0,content:s}}:{entry:{kind:"input",content:s}}}catch{if(!n)return{error:Q("",`bash: ${t}: No such file or directory\n`,1)};try{return await e.fs.writeFile(r,"","binary"),{entry:{kind:"readwrite",path:r,position:0,content:""}}}catch{return{error:Q("",`bash: ${t}: No such file or directory\n`,1)}}}}',
    replace: `try{n&&await e.fs.exists(r)===!1&&await e.fs.writeFile(r,"","binary");let s=await e.fs.readFile(r);return n?(await e.fs.appendFile(r,"","binary"),{entry:{kind:"readwrite",path:r,position:0,content:s}}):{entry:{kind:"input",content:s}}}catch(B){return{error:Q("",\`bash: \${t}: \${${HOOKS}.redirectionFailure(B)}\\n\`,1)}}}`,
  },
  {
    why: 'so does `$(<file)`',
    find: 'let s=B7(t.body);if(s)try{let p=await _e(e,s.target),h=p.startsWith("/")?p:`${e.state.cwd}/${p}`,m=await e.fs.readFile(h);e.state.lastExitCode=0,e.state.env.set("?","0");let g=m.replace(/\\n+$/,"");return ss(g,e.limits.maxStringLength,"command substitution"),g}catch(p){if(p instanceof C)throw p;',
    replace: `let s=B7(t.body),named;if(s)try{let p=await _e(e,s.target);named=p;let h=p.startsWith("/")?p:\`\${e.state.cwd}/\${p}\`,m=await e.fs.readFile(h);e.state.lastExitCode=0,e.state.env.set("?","0");let g=m.replace(/\\n+$/,"");return ss(g,e.limits.maxStringLength,"command substitution"),g}catch(p){if(p instanceof C)throw p;named!==void 0&&(e.state.expansionStderr=(e.state.expansionStderr??"")+\`bash: \${named}: \${${HOOKS}.redirectionFailure(p)}\\n\`);`,
  },
  {
    why: 'a long range was cut at 10,000 without a word',
    find: 'var Uo=1e4,md={maxResults:Uo,maxStringBytes:10*1024*1024}',
    replace: 'var Uo=1/0,md={maxResults:1e6,maxStringBytes:256*1024*1024}',
  },
  {
    why: 'a range that is too long says so',
    find: 'if(e.length>=n.maxResults)return!1;',
    replace:
      'if(e.length>=n.maxResults)throw new C(`brace expansion limit exceeded (${n.maxResults} results)`,"brace_expansion");',
  },
  {
    why: '`ls a b` puts an empty line before directories, not between files',
    find: 'w>0&&h&&!h.endsWith(`\n\n`)&&(h=',
    replace: `w>0&&h&&!h.endsWith(\`\\n\\n\`)&&!f&&await ${HOOKS}.isDirectory(t,y)&&(h=`,
  },
  {
    why: '`rm -f` keeps quiet about what is not there, and about nothing else',
    find: 'catch(f){if(!s){let d=ht(f);',
    replace: 'catch(f){let d=ht(f);if(!s||!/^(?:ENOENT|ENOTDIR)\\b/.test(d)){',
  },
  {
    why: '`rm` removes a link, wherever it leads',
    find: 'if((await t.fs.stat(f)).isDirectory&&!r){l+=`rm: cannot remove',
    replace: 'if((await t.fs.lstat(f)).isDirectory&&!r){l+=`rm: cannot remove',
  },
  { why: 'the user has a name', find: 'return{stdout:`user\n`,', replace: 'return{stdout:`agent\n`,' },
  {
    why: 'no Buffer in an isolate',
    find: 'function fl(e){return Buffer.from(e).toString("latin1")}',
    replace: `function fl(e){return ${HOOKS}.arrayToLatin1(e)}`,
  },
  {
    why: 'each statement tells what it wrote',
    find: 'async executeStatement(t){',
    replace: `executeStatement(t){return ${HOOKS}.statement(this.ctx.state.suppressVerbose===!0,()=>this.runStatement(t))}async runStatement(t){`,
  },
  {
    why: 'what a redirection takes is not told',
    find: 'async executeCommand(t,n,r=!1){',
    replace: `executeCommand(t,n,r=!1){return ${HOOKS}.command(t.redirections,()=>this.runCommandNode(t,n,r))}async runCommandNode(t,n,r=!1){`,
  },
  {
    why: 'what a pipe takes is not told',
    find: 'return b3(this.ctx,t,(n,r)=>this.executeCommand(n,r))',
    replace: `return b3(this.ctx,t,(n,r)=>${HOOKS}.stage(t.commands,n,()=>this.executeCommand(n,r)))`,
  },
  {
    why: 'what a command that runs a script takes is not told',
    find: 'exec:(N,I,T=!1)=>this.execInScope(N,I,r,s+1,u.signal,T)',
    replace: `exec:(N,I,T=!1)=>${HOOKS}.nested(()=>this.execInScope(N,I,r,s+1,u.signal,T))`,
  },
  {
    why: 'builtins that it lists and lacks: `type` and `command -v` would say that they are there',
    find: '"hash","ulimit","umask","trap","times","wait","kill","jobs","fg","bg","disown","suspend","fc","history","help","enable","builtin","caller"',
    replace: '"hash","wait","help","builtin"',
  },
  {
    why: 'rules hold for the programs that it runs itself, too',
    find: 'if(t==="eval")return mc(c,n,s,l);if(t==="cd")',
    replace: `let refused=${HOOKS}.refusal(t,n);if(refused)return refused;if(t==="eval")return mc(c,n,s,l);if(t==="cd")`,
  },
  {
    why: 'so does a keyword',
    find: '"for","select","while","until","do","done","in",',
    replace: '"for","while","until","do","done","in",',
  },
  {
    why: 'an absent command is not found, whatever the reason',
    find: 'return n4(t)?K(',
    replace: 'return!1?K(',
  },
];

/** @throws when the bundle is not the version the patches were written for */
export function patchInterpreter(source: string): string {
  let patched = source;
  for (const { find, replace, count = 1, why } of INTERPRETER_PATCHES) {
    const pieces = patched.split(find);
    if (pieces.length - 1 !== count) {
      throw new Error(
        `Cannot patch just-bash (${why}): found the text ${pieces.length - 1} times instead of ${count}. Pin the version the patches were written for, or renew them`,
      );
    }
    patched = pieces.join(replace);
  }
  return patched;
}
