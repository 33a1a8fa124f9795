/** What `caisson policy init` writes. */
export const STARTER_POLICY = `{
  "$schema": "./node_modules/caisson/docs/policy.schema.json",

  // deny beats ask beats allow, whatever the order. What no rule matches:
  "default": "ask",

  "deny": [
    // Secrets. The sandbox keeps these closed for every program, not only for those that name them.
    { "tool": "read_file", "path": [".env", ".env.local", ".env.production"], "reason": "Secrets: use .env.example to see which variables exist" },
    "read_file(**/*.pem)",
    "read_file(**/id_rsa)",
    "read_file(**/id_ed25519)",
    "read_file(**/.npmrc)",
    "read_file(**/.netrc)",
    "read_file(**/credentials.json)",
    "read_file(~/.ssh/**)",
    "read_file(~/.aws/**)",

    // What leaves this machine.
    { "tool": "shell", "command": "git push:*", "reason": "Leave pushing to a person",
      "match": ["git push", "git -C sub push origin main"], "notMatch": ["git stash push"] },
    // A rule is about every spelling: npm pub, yarn npm publish, python3 -m twine upload.
    "shell(npm publish:*)", "shell(npm unpublish:*)", "shell(pnpm publish:*)", "shell(yarn publish:*)", "shell(bun publish:*)",
    "shell(lerna publish:*)", "shell(cargo publish:*)", "shell(twine upload:*)", "shell(uv publish:*)", "shell(poetry publish:*)",
    "shell(hatch publish:*)", "shell(pdm publish:*)", "shell(flit publish:*)", "shell(gem push:*)", "shell(mvn deploy:*)",
    "shell(dotnet nuget push:*)", "shell(docker push:*)", "shell(podman push:*)",
    "shell(gh release create:*)", "shell(gh release upload:*)", "shell(gh release edit:*)", "shell(gh release delete:*)",

    // What runs later, somewhere else. A leading slash: at the top of the workspace, where these are read.
    { "tool": "write_file", "path": ["/.git/hooks/**", "/.git/config"], "reason": "git runs these on the host" },
    { "tool": "write_file", "path": ["/.github/workflows/**", "/.gitlab-ci.yml", "/.circleci/**", "/Jenkinsfile"], "reason": "CI runs these with its own rights" },
    "write_file(~/.bashrc)",
    "write_file(~/.zshrc)",
    "write_file(~/.profile)"
  ],

  "ask": [
    "shell(git reset --hard:*)",
    "shell(git clean:*)",
    "shell(rm -rf:*)"
  ],

  "allow": [
    "read_file", "list_dir", "glob", "grep",
    "shell(ls:*)", "shell(cat:*)", "shell(head:*)", "shell(tail:*)", "shell(wc:*)",
    "shell(grep:*)", "shell(rg:*)", "shell(find:*)", "shell(sort:*)", "shell(uniq:*)", "shell(diff:*)",
    "shell(git status:*)", "shell(git diff:*)", "shell(git log:*)", "shell(git show:*)"
  ]
}
`;
