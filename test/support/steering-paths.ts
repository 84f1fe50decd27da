/** Paths that can run or steer something, by the class that they are asked about in. */
const table: Record<string, string> = {
  rein: `.rein/config.toml .rein/team.toml .rein/rules/a.yaml .rein/tasks/shop/TASK.md .rein/notes/x.md .REIN/Rules/b.yaml
    packages/web/.rein/team.toml old.rein`,
  agent: `CLAUDE.md CLAUDE.local.md claude.md docs/CLAUDE.md AGENTS.md AGENTS.override.md AGENT.md GEMINI.md QWEN.md CRUSH.md
    WARP.md .github/copilot-instructions.md .github/instructions/ts.instructions.md .github/prompts/x.prompt.md
    .claude/settings.json .claude/settings.local.json .claude/commands/ship.md .claude/agents/x.md .claude/skills/a/SKILL.md
    .codex/config.toml .codex/hooks.json .gemini/settings.json .opencode/plugin/x.js opencode.json opencode.jsonc
    .mcp.json sub/.mcp.json .cursor/mcp.json .cursor/rules/a.mdc .cursorrules .windsurfrules .windsurf/rules/x.md .clinerules
    .roo/rules/x.md .roomodes .aider.conf.yml .continue/config.json .goosehints .junie/guidelines.md .kiro/steering/x.md
    .amazonq/rules/a.md .rules .agents/skills/x/SKILL.md skills/x/SKILL.md hooks/hooks.json .claude-plugin/plugin.json
    .copilot/config.json .copilot/skills/x/SKILL.md`,
  environment: `.envrc .env .env.local .env.production config/app.env mise.toml .mise.toml .mise/config.toml .config/mise/config.toml
    .tool-versions .nvmrc .node-version .python-version .ruby-version .java-version .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs
    pip.conf .bashrc .bash_profile .bash_aliases .zshrc .zshenv .profile .inputrc .config/fish/config.fish .netrc .curlrc
    .ssh/config .direnv/lib/x.sh sitecustomize.py venv/bin/activate lib/x.pth .Rprofile .irbrc .gdbinit .psqlrc .terraformrc
    Microsoft.PowerShell_profile.ps1 .sdkmanrc`,
  git: `.gitattributes .gitmodules sub/.gitattributes .gitconfig .lfsconfig .husky/pre-commit .husky/_/husky.sh .githooks/pre-push
    hooks/post-checkout git-hooks/commit-msg .pre-commit-config.yaml .pre-commit-hooks.yaml lefthook.yml .lefthook/pre-push/x
    lefthook-local.yaml .overcommit.yml .lintstagedrc.js vendor/bare.git/config vendor/x/HEAD`,
  editor: `.vscode/tasks.json .vscode/settings.json .vscode/launch.json .idea/workspace.xml .idea/runConfigurations/x.xml
    .devcontainer/devcontainer.json .devcontainer.json .zed/tasks.json app.code-workspace .vs/x.json .exrc .nvim.lua
    .dir-locals.el .vimrc .gitpod.yml x.sublime-project .fleet/run.json App.xcodeproj/project.pbxproj`,
  build: `package.json packages/a/package.json Makefile makefile GNUmakefile BSDmakefile Makefile.am rules.mk CMakeLists.txt
    cmake/x.cmake CMakePresets.json configure configure.ac meson.build SConstruct wscript gradlew gradlew.bat build.gradle
    build.gradle.kts settings.gradle gradle/wrapper/gradle-wrapper.properties gradle/wrapper/gradle-wrapper.jar mvnw
    .mvn/wrapper/maven-wrapper.properties .mvn/jvm.config pom.xml build.xml build.sbt project/plugins.sbt WORKSPACE BUILD
    BUILD.bazel MODULE.bazel defs.bzl .bazelrc build.rs Cargo.toml .cargo/config .cargo/config.toml rust-toolchain.toml go.mod
    go.work magefile.go setup.py setup.cfg pyproject.toml Pipfile requirements.txt requirements-dev.txt noxfile.py tasks.py
    fabfile.py Rakefile lib/tasks/x.rake Gemfile a.gemspec Guardfile Fastfile Podfile Brewfile mix.exs rebar.config
    dune Setup.hs project.clj deps.edn composer.json Package.swift app.csproj Directory.Build.props Directory.Build.targets
    nuget.config build.cake Justfile justfile .justfile Taskfile.yml Taskfile.dist.yaml Earthfile Dockerfile Dockerfile.prod
    api.dockerfile Containerfile docker-compose.yml docker-compose.override.yml compose.yaml compose.prod.yml docker-bake.hcl
    Procfile Procfile.dev Vagrantfile Tiltfile skaffold.yaml Snakefile main.tf terragrunt.hcl flake.nix shell.nix default.nix
    devbox.json binding.gyp Gruntfile.js gulpfile.mjs turbo.json nx.json lerna.json deno.json bunfig.toml pnpm-workspace.yaml
    node_modules/a/index.js vercel.json netlify.toml serverless.yml cdk.json xmake.lua build.zig Makefile.PL
    conanfile.py .yarn/releases/yarn.cjs`,
  tool: `eslint.config.js eslint.config.mjs .eslintrc .eslintrc.cjs .eslintrc.json vitest.config.ts vite.config.ts jest.config.js
    jest.setup.ts vitest.workspace.ts babel.config.js .babelrc webpack.config.js webpack.prod.js rollup.config.mjs postcss.config.cjs
    tailwind.config.ts next.config.js svelte.config.js playwright.config.ts cypress.config.ts karma.conf.js .mocharc.yml
    .prettierrc .prettierrc.js .stylelintrc.json tsconfig.json tsconfig.build.json biome.json .swcrc conftest.py tests/conftest.py
    tox.ini pytest.ini .flake8 mypy.ini ruff.toml .rubocop.yml .rspec spec/spec_helper.rb phpunit.xml.dist .php-cs-fixer.php
    .storybook/main.ts angular.json docs/conf.py mkdocs.yml .clang-tidy schema.prisma`,
  packages: `package-lock.json yarn.lock pnpm-lock.yaml bun.lockb Cargo.lock poetry.lock uv.lock composer.lock go.sum mix.lock`,
  ci: `.github/workflows/ci.yml .github/actions/x/action.yml .github/dependabot.yml .gitlab-ci.yml ci/build.gitlab-ci.yml Jenkinsfile
    azure-pipelines.yml .travis.yml .circleci/config.yml .buildkite/pipeline.yml bitbucket-pipelines.yml .drone.yml appveyor.yml
    .woodpecker.yml cloudbuild.yaml buildspec.yml .forgejo/workflows/x.yml renovate.json .cirrus.yml action.yml`,
  program:
    'run.sh scripts/deploy.bash install.ps1 setup.bat x.cmd tool.exe lib.so native.node a.jar start.command x.desktop',
  hidden: '.unknowntool/config.json .somethingnew sub/.later/x.yaml',
}

export const steeringPaths: [string, string][] = Object.entries(table).flatMap(([name, paths]) =>
  paths
    .trim()
    .split(/\s+/)
    .map((path): [string, string] => [path, name]),
)

/** What most of a work tree is made of; nobody should be asked about it. */
export const plainPaths = `
  src/index.ts src/server.js lib/main.py app/models/user.rb cmd/server/main.go src/lib.rs src/Main.java README.md readme.md
  docs/guide.md CHANGELOG.md LICENSE index.html styles/app.css assets/logo.png data/users.csv test/app.test.ts spec/user_spec.rb
  tests/test_app.py src/hooks/useUser.ts src/components/Avatar.tsx src/monitor.ts src/tuple.ts src/millis.ts src/setupUser.ts
  src/agents/agent.ts claude/x my.envrc.txt .gitignore sub/.gitignore .gitkeep .dockerignore .editorconfig migrations/001.sql
  fonts/a.woff2 src/user.service.ts public/robots.txt src/config.ts src/environment.ts src/utils/git.ts po/de.po notes.txt
  src/program.c include/a.h proto/a.proto i18n/en.json src/pages/about.vue query.graphql schema.sql example.ipynb src/src.ts
  src/description.ts tests/fixtures/input.txt docs/agents.txt internal/build/build_test.go src/updates.ts
`
  .trim()
  .split(/\s+/)
