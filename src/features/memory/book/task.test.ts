import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { taskOf } from './task.ts'

const task = (command: string) => taskOf(command.split(' '))

test.each([
  ['npm run lint', 'lint'],
  ['npm run lint:fix', 'lint'],
  ['npm test', 'test'],
  ['npm t', 'test'],
  ['npm run -s build', 'build'],
  ['npm start', 'run'],
  ['npm ci', 'install'],
  ['pnpm install --frozen-lockfile', 'install'],
  ['pnpm --filter web dev', 'run'],
  ['yarn', 'install'],
  ['yarn typecheck', 'lint'],
  ['bun run format', 'format'],
  ['bun test src', 'test'],
  ['npm run release', 'other'],
  ['make', 'build'],
  ['make -C server test', 'test'],
  ['make fmt', 'format'],
  ['just check', 'lint'],
  ['task build', 'build'],
  ['mise run test:ci', 'test'],
  ['cargo +nightly fmt', 'format'],
  ['cargo clippy --all-targets', 'lint'],
  ['cargo nextest run', 'test'],
  ['go test ./...', 'test'],
  ['go vet ./...', 'lint'],
  ['pytest -q', 'test'],
  ['python -m pytest tests', 'test'],
  ['uv run --extra dev pytest', 'test'],
  ['.venv/bin/python -m mypy src', 'lint'],
  ['tox -e lint', 'lint'],
  ['tox', 'test'],
  ['ruff check .', 'lint'],
  ['ruff format .', 'format'],
  ['npx eslint .', 'lint'],
  ['npx tsc --noEmit', 'lint'],
  ['tsc -b', 'build'],
  ['npx vitest run', 'test'],
  ['node --test', 'test'],
  ['./gradlew :app:spotlessApply', 'format'],
  ['gradle bootRun', 'run'],
  ['mvn -q test', 'test'],
  ['dotnet test', 'test'],
  ['docker compose up -d', 'run'],
  ['docker compose exec web pytest', 'test'],
  ['python manage.py runserver', 'run'],
  ['php artisan test', 'test'],
  ['pip install -r requirements.txt', 'install'],
  ['bundle exec rspec', 'test'],
  ['bash scripts/build.sh', 'build'],
  ['./scripts/test.sh unit', 'test'],
  ['bin/test core/tests', 'test'],
  ['golangci-lint run', 'lint'],
  ['pre-commit run --all-files', 'lint'],
  ['cmake --build build', 'build'],
  ['CI=1 npm test', 'test'],
])('%s is %s', (command, purpose) => {
  expect(task(command)?.purpose).toBe(purpose)
})

test.each([
  'ls',
  'git status',
  'npm install lodash',
  'npm view x',
  'pnpm add x',
  'python x.py',
  'node -e 1',
  'cargo doc',
  'pip install x',
  'just',
  '',
])('%s is no task of the project', (command) => {
  expect(task(command)).toBeNull()
})

test.each([
  ['npm test', 'pnpm test'],
  ['npm run lint', 'yarn lint'],
  ['npm ci', 'pnpm install'],
  ['pytest', 'uv run pytest'],
  ['pytest tests/a.py', 'python3 -m pytest'],
  ['eslint .', 'npx eslint .'],
  ['./gradlew test', 'gradle test'],
  ['docker compose build', 'docker-compose build'],
])('%s and %s are the same task', (one, other) => {
  expect(task(one)?.key).toBe(task(other)?.key)
})

test.each([
  ['npm test', 'bun test'],
  ['pnpm --filter a test', 'pnpm --filter b test'],
  ['make -C a test', 'make -C b test'],
  ['ruff check', 'ruff format'],
])('%s and %s are not', (one, other) => {
  expect(task(one)?.key).not.toBe(task(other)?.key)
})

test('never throws, and the head is part of the words', () => {
  const word = fc.constantFrom('npm', 'run', 'test', '-C', 'x', 'make', 'uv', 'python', '-m', 'pytest', 'A=1', '--', '')
  fc.assert(
    fc.property(fc.array(word, { maxLength: 7 }), (words) => {
      expect(taskOf(words)?.head ?? 0).toBeLessThanOrEqual(words.length)
    }),
  )
})
