import { person } from '../src/contract/outcome.ts'
import type { CommandEvent } from '../src/features/memory/predict/event.ts'

const projects = 60
const perSession = 40
const names = ['parse', 'store', 'user', 'order', 'cart', 'mail', 'route', 'cache', 'token', 'queue', 'report', 'theme']
const folders = ['src', 'src/api', 'src/ui', 'test', 'lib', 'internal/log', 'cmd/tool', 'docs', 'scripts']
const endings = ['ts', 'py', 'go', 'rs', 'md', 'json']

type Dice = (most: number) => number

/** Work as agents and people do it: what is often run is run most often, in an order that a project keeps to. */
const steps: readonly ((dice: Dice, project: number) => string)[] = [
  () => 'git status',
  (dice) => `git diff ${file(dice)}`,
  () => 'git diff --stat HEAD~1',
  (_, project) => `npm run ${['lint', 'check', 'build'][project % 3]} 2>&1 | tail -20`,
  (dice) => `npx vitest run ${file(dice)} 2>&1 | tail -${10 * (1 + dice(4))}`,
  (dice, project) => `cd /work/project-${project} && go test ./${pick(dice, folders)}/... -run Test${word(dice)}`,
  (dice) => `python -m pytest ${file(dice)} -x -q`,
  (dice) => `sed -n '${dice(40) * 20},${dice(40) * 20 + 60}p' ${file(dice)}`,
  (dice) =>
    `grep -rn "${word(dice)}${dice(500)}" ${pick(dice, folders)} --include=*.${pick(dice, endings)} | head -${dice(50)}`,
  (dice) => `cat ${file(dice)}`,
  (dice) => `ls -la ${pick(dice, folders)}`,
  (dice) => `git add ${file(dice)} ${file(dice)}`,
  (dice) => `git commit -m "${word(dice)}: ${word(dice)} the ${word(dice)} (#${dice(100_000)})"`,
  () => 'git push',
  (dice) => `gh pr view ${dice(4000)} --json title,body,comments`,
  (dice) => `curl -s http://localhost:${3000 + dice(10)}/${word(dice)}/${dice(10_000)} | jq .`,
  (dice) => `docker logs --tail ${dice(200)} ${word(dice)}-${dice(30)}`,
  (dice) => `node -e "console.log(require('./${file(dice)}').${word(dice)}(${dice(1e6)}))"`,
  (dice) => `cat > ${file(dice)} <<'EOF'\nexport const ${word(dice)} = ${dice(1e9)}\nEOF`,
  (dice) => `rg ${word(dice)} -g '*.${pick(dice, endings)}' ${pick(dice, folders)}`,
]

const pick = (dice: Dice, words: readonly string[]): string => words[dice(words.length)] ?? ''
const word = (dice: Dice): string => pick(dice, names)
const file = (dice: Dice): string => `${pick(dice, folders)}/${word(dice)}${dice(40)}.${pick(dice, endings)}`

const diceOf = (seed: number): Dice => {
  let state = seed
  return (most) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
}

/** A made-up history, always the same. */
export function* madeUpHistory(count: number): Generator<CommandEvent> {
  const dice = diceOf(20)
  for (let index = 0; index < count; index++) {
    const session = Math.floor(index / perSession)
    const project = Math.min(dice(projects), (session * 7) % projects)
    const habit = (index * (1 + (project % 3)) + project) % steps.length
    const step = steps[dice(3) === 0 ? Math.min(dice(steps.length), dice(steps.length)) : habit]
    yield {
      project: `project-${project}`,
      session: `session-${session}`,
      agent: ['claude-code', 'codex', person][session % 3] ?? person,
      cwd: `/work/project-${project}`,
      time: index,
      tools: dice(3) === 0 ? ['Read', 'Edit'] : [],
      edited: dice(4) === 0 ? [file(dice)] : [],
      command: step?.(dice, project) ?? 'ls',
      ...(dice(14) === 0 ? { exit: 1, error: `error: ${word(dice)} not found in ${file(dice)}` } : { exit: 0 }),
    }
  }
}
