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
const subcommandNames: Readonly<Record<string, Partial<Record<Purpose, string>>>> = {
  cargo: {
    build: 'build b',
    lint: 'check c clippy',
    format: 'fmt',
    test: 'test t nextest',
    run: 'run r',
    install: 'fetch',
  },
  go: { build: 'build', test: 'test', lint: 'vet', run: 'run', format: 'fmt' },
  dotnet: { build: 'build', test: 'test', run: 'run watch', format: 'format', install: 'restore' },
  swift: { build: 'build', test: 'test', run: 'run' },
  zig: { build: 'build', test: 'test', format: 'fmt' },
  flutter: { test: 'test', lint: 'analyze', run: 'run', build: 'build' },
  dart: { test: 'test', lint: 'analyze', format: 'format', run: 'run' },
  mix: { test: 'test', build: 'compile', format: 'format', lint: 'credo', install: 'deps.get', run: 'phx.server' },
  stack: { build: 'build', test: 'test', run: 'run' },
  cabal: { build: 'build', test: 'test', run: 'run' },
  composer: { install: 'install', test: 'test', lint: 'lint' },
  deno: { test: 'test', lint: 'lint check', format: 'fmt', run: 'run' },
  bun: { test: 'test' },
  uv: { install: 'sync', build: 'build' },
  poetry: { install: 'install', build: 'build' },
  pdm: { install: 'install sync' },
  pipenv: { install: 'install sync' },
  bundle: { install: 'install' },
  rails: { test: 'test', run: 'server s' },
  ruff: { lint: 'check', format: 'format' },
  biome: { lint: 'check lint ci', format: 'format' },
  'golangci-lint': { lint: 'run', format: 'fmt' },
  'pre-commit': { lint: 'run' },
  playwright: { test: 'test', install: 'install' },
  cypress: { test: 'run' },
  vite: { build: 'build', run: 'dev preview' },
  next: { build: 'build', run: 'dev start', lint: 'lint' },
  nuxt: { build: 'build', run: 'dev' },
  astro: { build: 'build', run: 'dev', lint: 'check' },
  ng: { build: 'build', test: 'test', lint: 'lint', run: 'serve' },
  wrangler: { run: 'dev' },
  flask: { run: 'run' },
  streamlit: { run: 'run' },
  mkdocs: { build: 'build', run: 'serve' },
  bazel: { build: 'build', test: 'test', run: 'run' },
  meson: { install: 'setup', build: 'compile', test: 'test' },
  terraform: { format: 'fmt', lint: 'validate', install: 'init' },
  tofu: { format: 'fmt', lint: 'validate', install: 'init' },
  docker: { build: 'build' },
  'docker compose': { build: 'build', run: 'up' },
  'docker-compose': { build: 'build', run: 'up' },
}
export const subcommands = new Map(
  Object.entries(subcommandNames).map(([program, names]) => [program, indexNames(names)]),
)

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
