import type { z } from 'zod'
import type { ProjectCommand } from '../../../contract/routes/memory.ts'

export type Purpose = z.infer<typeof ProjectCommand>['purpose']

const indexNames = (names: Partial<Record<Purpose, string>>): ReadonlyMap<string, Purpose> =>
  new Map(Object.entries(names).flatMap(([purpose, list]) => list.split(' ').map((name) => [name, purpose as Purpose])))

/** Words in the names of scripts and targets; the first known word of a name decides. */
const nameWords = indexNames({
  test: 'test tests unit spec specs e2e integration pytest jest vitest coverage cov regress tst',
  lint: 'lint linter check checks typecheck types tsc vet clippy eslint ruff mypy verify validate ktlint detekt',
  format: 'format fmt prettier black spotless style',
  build: 'build compile bundle dist assemble package all',
  run: 'dev start serve server preview run up watch develop bootrun runserver',
  install: 'install setup bootstrap deps dependencies init restore',
})

/** `lint:fix` is lint, `spotlessApply` is format; undefined if no word of the name is known. */
export const findPurpose = (name: string): Purpose | undefined =>
  name
    .split(/[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])/)
    .map((word) => nameWords.get(word.toLowerCase()))
    .find((purpose) => purpose !== undefined)

/** Programs whose subcommand names the purpose; other subcommands are no work on the project. */
export const subcommands: Readonly<Record<string, Readonly<Record<string, Purpose>>>> = {
  cargo: {
    build: 'build',
    b: 'build',
    check: 'lint',
    c: 'lint',
    clippy: 'lint',
    fmt: 'format',
    test: 'test',
    t: 'test',
    nextest: 'test',
    run: 'run',
    r: 'run',
    fetch: 'install',
  },
  go: { build: 'build', test: 'test', vet: 'lint', run: 'run', fmt: 'format' },
  dotnet: { build: 'build', test: 'test', run: 'run', watch: 'run', format: 'format', restore: 'install' },
  swift: { build: 'build', test: 'test', run: 'run' },
  zig: { build: 'build', test: 'test', fmt: 'format' },
  flutter: { test: 'test', analyze: 'lint', run: 'run', build: 'build' },
  dart: { test: 'test', analyze: 'lint', format: 'format', run: 'run' },
  mix: { test: 'test', compile: 'build', format: 'format', credo: 'lint', 'deps.get': 'install', 'phx.server': 'run' },
  stack: { build: 'build', test: 'test', run: 'run' },
  cabal: { build: 'build', test: 'test', run: 'run' },
  composer: { install: 'install', test: 'test', lint: 'lint' },
  deno: { test: 'test', lint: 'lint', fmt: 'format', run: 'run', check: 'lint' },
  bun: { test: 'test' },
  uv: { sync: 'install', build: 'build' },
  poetry: { install: 'install', build: 'build' },
  pdm: { install: 'install', sync: 'install' },
  pipenv: { install: 'install', sync: 'install' },
  bundle: { install: 'install' },
  rails: { test: 'test', server: 'run', s: 'run' },
  ruff: { check: 'lint', format: 'format' },
  biome: { check: 'lint', lint: 'lint', ci: 'lint', format: 'format' },
  'golangci-lint': { run: 'lint', fmt: 'format' },
  'pre-commit': { run: 'lint' },
  playwright: { test: 'test', install: 'install' },
  cypress: { run: 'test' },
  vite: { build: 'build', dev: 'run', preview: 'run' },
  next: { build: 'build', dev: 'run', start: 'run', lint: 'lint' },
  nuxt: { build: 'build', dev: 'run' },
  astro: { build: 'build', dev: 'run', check: 'lint' },
  ng: { build: 'build', test: 'test', lint: 'lint', serve: 'run' },
  wrangler: { dev: 'run' },
  flask: { run: 'run' },
  streamlit: { run: 'run' },
  mkdocs: { build: 'build', serve: 'run' },
  bazel: { build: 'build', test: 'test', run: 'run' },
  meson: { setup: 'install', compile: 'build', test: 'test' },
  terraform: { fmt: 'format', validate: 'lint', init: 'install' },
  tofu: { fmt: 'format', validate: 'lint', init: 'install' },
  docker: { build: 'build' },
  'docker compose': { build: 'build', up: 'run' },
  'docker-compose': { build: 'build', up: 'run' },
}

/** Programs with one purpose. */
export const tools = indexNames({
  test: 'pytest py.test unittest vitest jest mocha ava tap karma phpunit pest rspec minitest ctest bats gotestsum nosetests',
  lint: 'eslint oxlint stylelint flake8 pylint mypy pyright basedpyright ty bandit shellcheck hadolint yamllint markdownlint actionlint staticcheck revive phpstan psalm rubocop vue-tsc knip xo standard',
  format:
    'prettier black isort dprint clang-format autopep8 gofmt gofumpt goimports rustfmt php-cs-fixer pint shfmt yapf',
  build: 'webpack rollup rolldown esbuild tsup ninja tsdown unbuild parcel',
  run: 'uvicorn gunicorn nodemon hypercorn',
})

/** Programs that run targets of the project, and their purpose without a target. */
export const targetRunners: ReadonlyMap<string, Purpose | null> = new Map([
  ...indexNames({ build: 'make gmake ant', test: 'nox tox' }),
  ...'just task rake invoke inv doit turbo nx gradle mvn sbt'.split(' ').map((name) => [name, null] as const),
])
