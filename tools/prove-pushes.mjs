// Runs each line of a corpus of forced pushes against a bare remote of its own, and says which ones lost what was there:
//   node tools/prove-pushes.mjs CORPUS.jsonl [--only-proven OUT.jsonl]
// Everything happens in a temporary directory; the lines are of `test/hostile/`, and are run, so look at them before.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'

const { positionals, values } = parseArgs({ allowPositionals: true, options: { 'only-proven': { type: 'string' } } })
const [file] = positionals
if (file === undefined) throw new Error('which corpus?')
const LONGEST_MS = 20_000

const box = mkdtempSync(path.join(tmpdir(), 'rein-pushes-'))
const envAt = (home) => ({ PATH: process.env.PATH, HOME: home, USER: 'ada', TERM: 'dumb', LANG: 'C.UTF-8' })

/** A home with a remote, and a clone that has left its history behind: only force makes it take these branches. */
const makeHome = (home) =>
  execFileSync(
    'bash',
    [
      '-euc',
      `mkdir -p "$HOME"; cd "$HOME"
      git config --global user.name ada; git config --global user.email ada@example.com; git config --global init.defaultBranch main
      git init -q --bare remote.git; git clone -q remote.git app 2>/dev/null; cd app
      for n in 1 2; do echo $n > README; git add README; git commit -qm "$n"; done
      git switch -qc topic; echo t > t; git add t; git commit -qm t; git push -q origin main topic
      for b in main topic; do git switch -q $b; git branch -q -u origin/$b; git reset -q --hard HEAD~1; echo other > $b.txt; git add .; git commit -qm other; done
      git switch -q main`,
    ],
    { env: envAt(home), stdio: 'ignore' },
  )

const tipsOf = (home) => {
  const args = ['--git-dir', path.join(home, 'remote.git'), 'for-each-ref', '--format=%(refname) %(objectname)']
  const { stdout, status } = spawnSync('git', args, { encoding: 'utf8' })
  const lines = status === 0 ? stdout.split('\n').filter(Boolean) : []
  return new Map(lines.map((line) => line.split(' ')))
}
const isKept = (home, commit, tip) =>
  tip === commit ||
  (tip !== undefined &&
    spawnSync('git', ['--git-dir', path.join(home, 'remote.git'), 'merge-base', '--is-ancestor', commit, tip])
      .status === 0)

makeHome(path.join(box, 'first'))
const before = tipsOf(path.join(box, 'first'))

/** Whether a branch of the remote has lost the commit that it had. */
const loses = (line, number) => {
  const home = path.join(box, `home-${number}`)
  cpSync(path.join(box, 'first'), home, { recursive: true, verbatimSymlinks: true })
  const app = path.join(home, 'app')
  spawnSync('git', ['remote', 'set-url', 'origin', '../remote.git'], { cwd: app })
  spawnSync('bash', ['-c', line], { cwd: app, env: envAt(home), stdio: 'ignore', timeout: LONGEST_MS })
  const after = tipsOf(home)
  const isLost = [...before].some(([ref, commit]) => !isKept(home, commit, after.get(ref)))
  rmSync(home, { recursive: true, force: true, maxRetries: 20 })
  return isLost
}

const entries = readFileSync(file, 'utf8')
  .split('\n')
  .filter((text) => text.trim() !== '')
  .map((text) => JSON.parse(text))
const pushes = entries.filter(({ class: kind }) => kind === 'forced-push')
const proven = pushes.filter(({ line }, number) => {
  const isProven = loses(line, number)
  if (!isProven) console.log(`no effect: ${JSON.stringify(line)}`)
  return isProven
})
rmSync(box, { recursive: true, force: true })
console.log(`${proven.length} of ${pushes.length} forced pushes lost what the remote had.`)
if (values['only-proven'] !== undefined)
  writeFileSync(
    values['only-proven'],
    entries
      .filter((entry) => entry.class !== 'forced-push' || proven.includes(entry))
      .map((entry) => `${JSON.stringify(entry)}\n`)
      .join(''),
  )
