/** A class of files that can make something run, or instruct an agent, just by their place. */
interface ReviewClass {
  name: string
  reason: string
  /** Everything below a directory of such a name, at any depth. */
  dirs: readonly string[]
  /** Files of such a name, at any depth; with a slash, the end of a path. */
  files: readonly string[]
}

/** Names separated by spaces; `*` matches anything but a slash. Case is ignored. */
const names = (text: string): string[] => text.trim().split(/\s+/).filter(Boolean)

/** With the extension of each language that a tool loads as code. */
const inCode = (stems: string): string[] =>
  names(stems).flatMap((stem) => ['js', 'cjs', 'mjs', 'ts', 'cts', 'mts', 'jsx', 'tsx'].map((end) => `${stem}.${end}`))

/** The most dangerous first: a file belongs to the first class that has its name. */
export const reviewClasses: readonly ReviewClass[] = [
  {
    name: 'rein',
    reason: 'rules, prompts, notes or settings of Rein',
    dirs: names('.rein'),
    files: names('rein.toml .reinrc *.rein'),
  },
  {
    name: 'agent',
    reason: 'settings, hooks or instructions of an agent',
    dirs: names(`
      .claude .claude-plugin .codex .gemini .copilot .opencode .agents .agent .cursor .windsurf .codeium .clinerules .cline
      .roo .kilocode .aider* .continue .goose .junie .kiro .amazonq .qwen .crush .factory .augment .trae .amp .openhands
      .devin .tabnine .warp .mcp .github/instructions .github/prompts .github/chatmodes .github/agents .github/hooks
      .github/skills .vibe .serena .superdesign .specify
    `),
    files: names(`
      claude*.md agents*.md agent.md gemini*.md qwen*.md crush.md warp.md copilot*.md codex*.md opencode*.md cursor*.md
      convention*.md skill.md replit.md .github/copilot-instructions.md *.instructions.md *.prompt.md *.chatmode.md
      *.agent.md *.mdc llms*.txt opencode.json* crush.json .mcp.json mcp.json mcp*.json *mcp.json .cursorrules
      .windsurfrules .clinerules* .roorules* .roomodes .continuerules .goosehints .rules .aider* .augment* .github-copilot*
      .cursorignore .geminiignore .aiexclude gemini-extension.json hooks.json plugin.json marketplace.json
    `),
  },
  {
    name: 'environment',
    reason: 'an environment that shells and tools load',
    dirs: names(`
      .direnv .mise mise .config .local .ssh .gnupg .aws .kube .docker .vim .nvim .emacs.d .ipython .jupyter .bundle .venv
      venv .virtualenv .asdf .nvm .pyenv .rbenv .sdkman .volta .profile.d
    `),
    files: names(`
      .envrc* .env .env.* *.env env.local mise*.toml .mise*.toml .rtx*.toml .tool-versions .asdfrc .nvmrc .node-version
      .ruby-version .ruby-gemset .python-version .java-version .go-version .terraform-version .sdkmanrc .npmrc .yarnrc*
      .pnpmfile.* pnpmfile.* .pnp.* pip.conf pip.ini .pypirc .condarc uv.toml poetry.toml .curlrc .wgetrc .netrc _netrc
      .bash* .profile .zsh* .zprofile .zlogin .zlogout .cshrc .tcshrc .kshrc .login .logout .inputrc config.fish
      *.fish .xinitrc .xprofile .xsession* .autoenv* *profile.ps1 .pythonrc* .pythonstartup sitecustomize.py
      usercustomize.py *.pth .irbrc .pryrc .gemrc .rprofile .renviron rprofile.site .iex.exs .ghci .gdbinit .lldbinit
      .sqliterc .psqlrc .my.cnf .tmux.conf .screenrc .terraformrc terraform.rc .m2/settings.xml .user.ini php.ini
      .htaccess startup.jl nix.conf .hushlogin .pam_environment
    `),
  },
  {
    name: 'git',
    reason: 'hooks or settings of git',
    dirs: names('.husky .githooks githooks .git-hooks git-hooks .lefthook .hg .svn .jj .sl .bzr *.git'),
    files: names(`
      .gitattributes .gitmodules .gitconfig gitconfig .lfsconfig .gitallowed head config.worktree commondir gitdir
      packed-refs applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg
      post-commit pre-rebase post-checkout post-merge pre-push pre-receive update post-receive post-update
      reference-transaction push-to-checkout pre-auto-gc post-rewrite sendemail-validate fsmonitor-watchman
      fsmonitor-watchmanv2 post-index-change proc-receive .pre-commit-*.y*ml pre-commit-config.y*ml lefthook*
      .lefthook* .overcommit.yml captainhook.json grumphp.y*ml* .lintstagedrc* lint-staged* .huskyrc* .hgrc hgrc
      .commitlintrc* .czrc
    `),
  },
  {
    name: 'editor',
    reason: 'settings of an editor',
    dirs: names(`
      .vscode .vscode-* .idea .devcontainer .zed .vs .fleet .nova .theia .run .settings nbproject .metadata .helix
      *.xcodeproj *.xcworkspace .swiftpm .ensime_cache .bloop .metals
    `),
    files: names(`
      *.code-workspace *.sublime-* .devcontainer.json devcontainer.json .gitpod.* devfile.y*ml .devfile.y*ml .project
      .classpath *.iml *.ipr *.iws .exrc .nvimrc .nvim.lua .vimrc _vimrc .gvimrc .lvimrc .emacs .dir-locals*.el
      .projectile .kakrc .luarc* .clangd .ycm_extra_conf.py .replit .stackblitzrc .idx
    `),
  },
  {
    name: 'ci',
    reason: 'continuous integration',
    dirs: names(`
      .github .gitlab .circleci .buildkite .azure-pipelines .azuredevops .pipelines .woodpecker .teamcity .semaphore .forgejo
      .gitea .builds .tekton .harness .zuul.d zuul.d .ci .concourse .drone .jenkins .codebuild .depot .gitlab-ci
    `),
    files: names(`
      *gitlab-ci*.y*ml jenkinsfile* *.jenkinsfile azure-pipelines*.y*ml *azure-pipelines*.y*ml .vsts-ci.yml .travis.y*ml
      appveyor.y*ml .appveyor.y*ml bitbucket-pipelines.y*ml .drone.* .woodpecker.y*ml cloudbuild*.y*ml buildspec*.y*ml
      codemagic.yaml bitrise.yml wercker.yml .cirrus.* .build.y*ml screwdriver.yaml renovate.json* .renovaterc* dependabot.y*ml
      dagger.json codefresh.yml .prow.yaml zuul.yaml .zuul.yaml .gocd.y*ml *.gocd.yaml shippable.yml .scrutinizer.yml
      action.y*ml .mergify.yml release-please-config.json .releaserc* .semaphore.yml
    `),
  },
  {
    name: 'build',
    reason: 'scripts that tools of a build run',
    dirs: names(`
      .cargo .mvn .gradle gradle/wrapper buildsrc .yarn node_modules .bin .msbuild .config/dotnet-tools.json .terraform
      .pulumi .nx .turbo .rush .bazel .buildkit .devbox .devenv .flox .dagger
    `),
    files: [
      ...names(`
        package.json package.json5 package.y*ml pnpm-workspace.yaml lerna.json nx.json project.json workspace.json
        turbo.json* rush.json deno.json* bunfig.toml binding.gyp *.gyp *.gypi bower.json jsr.json import_map.json
        makefile* gnumakefile* bsdmakefile* *makefile *.mk *.mak *.make kbuild kconfig cmakelists.txt *.cmake cmake*presets.json
        configure configure.* config.guess config.sub autogen autogen.* bootstrap *.m4 meson.build meson_options.txt meson.options *.ninja
        sconstruct sconscript* wscript* waf xmake.lua premake*.lua build.zig* tupfile* tuprules* *.jam jamfile* jamroot*
        conanfile.* vcpkg*.json
        gradlew* mvnw* *.gradle *.gradle.kts gradle.properties gradle-wrapper.* pom.xml *.pom build.xml ivy*.xml build.sbt *.sbt
        .sbtopts .jvmopts .mill-* build.mill build.sc mill mill.bat build.properties lombok.config
        workspace workspace.bazel module.bazel build build.bazel *.bzl .bazelrc *.bazelrc .bazelversion buck .buckconfig*
        pants pants*.toml *.star please.build .plzconfig*
        build.rs cargo.toml rust-toolchain* .rustfmt.toml rustfmt.toml clippy.toml .clippy.toml cross.toml dist-workspace.toml
        go.mod go.work magefile* tools.go generate.go .goreleaser.y*ml goreleaser.y*ml .air.toml .golangci.* ko.y*ml .ko.y*ml
        setup.py setup.cfg pyproject.toml hatch*.toml hatch_build.py pdm.toml pdm_build.py pipfile requirements*.txt
        requirements*.in constraints*.txt environment*.y*ml meta.yaml manage.py tasks.py fabfile.py dodo.py invoke.y*ml
        buildout.cfg noxfile.py pavement.py build.py _build.py
        gemfile* gems.rb *.gemspec *.rake config.ru .simplecov
        mix.exs rebar.config* rebar3 erlang.mk *.nimble *.nims nim.cfg dune dune-project dune-workspace *.opam stack*.yaml
        setup.hs setup.lhs *.cabal cabal.project* package.yaml hie.yaml project.clj deps.edn build.boot bb.edn
        shadow-cljs.edn composer.json artisan robo.li robofile.php deploy.php
        package.swift project.yml project.yaml podfile* *.podspec cartfile*
        *.csproj *.fsproj *.vbproj *.vcxproj *.wixproj *.proj *.props *.targets *.sln *.slnx *.slnf *.rsp
        directory.*.props directory.*.targets nuget.config global.json dotnet-tools.json *.cake *.fsx *.csx build.fsx
        pubspec.yaml build.yaml melos.yaml makefile.pl build.pl cpanfile *.rockspec
        deps/build.jl *.nix flake.lock devenv.* devbox.json guix.scm manifest.scm channels.scm
        justfile* .justfile *.just taskfile* .taskrc* earthfile bakefile* docker-bake.* dockerfile* *.dockerfile
        containerfile* *.containerfile docker-compose* compose.y*ml compose.*.y*ml *compose*.y*ml podman-compose* *.kube *.container
        procfile* vagrantfile* tiltfile* skaffold.y*ml garden.y*ml snakefile* *.smk *.nf nextflow.config dvc.yaml mlproject
        *.tf *.tf.json *.tofu *.tfvars *.hcl pulumi*.y*ml serverless.* cdk.json samconfig.toml template.y*ml
        ansible.cfg site.y*ml playbook*.y*ml helmfile* chart.yaml kustomization.y*ml
        vercel.json netlify.toml wrangler.* fly.toml app.json app.y*ml render.y*ml railway.* heroku.yml nixpacks.toml firebase.json
        .firebaserc now.json amplify.yml *file
        crontab *.cron *.service *.socket *.timer *.path *.plist supervisord.conf monitrc
      `),
      ...inCode('gulpfile gulpfile.babel gruntfile jakefile* makefile forge.config nwb.config cakefile'),
    ],
  },
  {
    name: 'tool',
    reason: 'settings of tests, linters or bundlers, which load code',
    dirs: names(
      '.storybook .ladle .vitepress .vuepress .docusaurus .eslint .eslint-rules .changeset .meteor .expo .nuxt .next',
    ),
    files: [
      ...inCode(`
        *.config *.config.* *.conf *.conf.* *.setup *.setup.* *.workspace webpack.* rollup.* vite.* vitest.* jest.* babel.*
        setup setuptests setup-tests setup-jest setup-vitest jest-setup vitest-setup jest-* *globalsetup *global-setup
        *test-setup .*rc .*rc.* karma.* protractor.* metro.* wdio.* nightwatch.*
      `),
      ...names(`
        .*rc .*rc.* *.config.json *.config.toml *.config.y*ml tsconfig*.json jsconfig*.json .eslint* tslint.json biome.json* .swcrc
        .babelrc* .mocharc* .nycrc* .prettier* .stylelint* .jshintrc .jscsrc dprint.json oxlint* .oxlint* .knip* knip.json
        angular.json .angular-cli.json ember-cli-build.js aurelia.json ionic.* capacitor.* quasar.* vue.config.*
        conftest.py tox.ini pytest.ini .pytest.ini .coveragerc .flake8 .pylintrc pylintrc mypy.ini .mypy.ini ruff.toml .ruff.toml
        .isort.cfg .style.yapf .bandit pyrightconfig.json behave.ini .behaverc
        .rspec .rubocop*.yml .standard.yml .reek.yml .overcommit* .erb-lint.yml spec_helper.rb rails_helper.rb test_helper.rb
        .credo.exs .formatter.exs .dialyzer* test_helper.exs phpunit*.xml* phpstan*.neon* psalm.xml* rector.php ecs.php
        .php-cs-fixer* .php_cs* infection.json* behat.y*ml codeception.y*ml pest.php
        .swiftlint.yml .swiftformat detekt.y*ml checkstyle*.xml .scalafix.conf .scalafmt.conf .clang-tidy .clang-format .cppcheck*
        .golangci* .cspell* cspell.* .markdownlint* .yamllint* .hadolint.y*ml .tflint.hcl .sqlfluff .shellcheckrc .trunk*
        megalinter* .mega-linter* sonar-project.properties .sonarlint*
        docs/conf.py conf.py mkdocs.y*ml _config.yml book.toml .readthedocs.y*ml antora*.y*ml jupyter_*_config.py
        codecov.y*ml .codeclimate.yml openapitools.json codegen.y*ml buf*.y*ml orval.* sqlc.y*ml schema.prisma
        log4j*.xml log4j*.properties logback*.xml
      `),
    ],
  },
  {
    name: 'packages',
    reason: 'a lock file: which packages an installation fetches, and from where',
    dirs: [],
    files: names(`
      package-lock.json npm-shrinkwrap.json .package-lock.json yarn.lock pnpm-lock.yaml bun.lock* deno.lock poetry.lock pdm.lock
      uv.lock pipfile.lock pylock*.toml conda-lock* cargo.lock gemfile.lock gems.locked composer.lock go.sum go.work.sum mix.lock
      rebar.lock package.resolved podfile.lock cartfile.resolved pubspec.lock packages.lock.json paket.* project.assets.json
      gradle.lockfile buildscript-gradle.lockfile verification-metadata.xml module.bazel.lock .terraform.lock.hcl
      chart.lock flake.lock *.lock *.lock.json *.lock.y*ml *.lockfile
    `),
  },
  {
    name: 'program',
    reason: 'a program',
    dirs: [],
    files: names(`
      *.sh *.bash *.zsh *.ksh *.csh *.ps1 *.psm1 *.psd1 *.bat *.cmd *.command *.vbs *.vbe *.wsf *.wsh *.hta *.jse *.scpt
      *.applescript *.exe *.com *.scr *.msi *.dll *.so *.so.* *.dylib *.node *.jar *.war *.class *.pyc *.pyd *.whl *.egg *.gem
      *.appimage *.run *.deb *.rpm *.apk *.desktop *.lnk *.url *.webloc *.reg autorun.inf desktop.ini *.wasm *.awk *.expect
    `),
  },
  {
    name: 'hidden',
    reason: 'a hidden file, where tools keep their settings',
    dirs: names('.*'),
    files: names('.*'),
  },
]

/** Hidden files that neither run nor steer anything. */
export const harmlessFiles = names(`
  .gitignore .gitkeep .keep .empty .placeholder .mailmap .ds_store .nojekyll .editorconfig .git-blame-ignore-revs .*ignore
`)
