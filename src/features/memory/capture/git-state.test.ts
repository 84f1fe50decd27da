import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../../../test/support/builders.ts'
import { GitStates } from './git-state.ts'

const never = (): Promise<boolean> => new Promise(() => undefined)

const repository = (head = 'ref: refs/heads/feature/x\n'): string => {
  const root = tempDir()
  mkdirSync(join(root, '.git'))
  writeFileSync(join(root, '.git', 'HEAD'), head)
  return root
}

test('the branch is known at once, below the root, too', () => {
  const root = repository()
  const states = new GitStates({ now: () => 0, status: never })
  expect(states.of(root)).toEqual({ branch: 'feature/x', isDirty: null })
  expect(states.of(join(root, 'src/not/there')).branch).toBe('feature/x')
})

test('a commit that is checked out has no branch, nor has a directory without git', () => {
  const states = new GitStates({ now: () => 0, status: never })
  expect(states.of(repository('0123456789012345678901234567890123456789\n')).branch).toBeNull()
  expect(states.of(tempDir())).toEqual({ branch: null, isDirty: null })
})

test('a work tree has a branch of its own', () => {
  const root = tempDir()
  const [main, other] = [join(root, 'main'), join(root, 'other')]
  mkdirSync(join(main, '.git/worktrees/other'), { recursive: true })
  mkdirSync(other)
  writeFileSync(join(main, '.git/worktrees/other/HEAD'), 'ref: refs/heads/other\n')
  writeFileSync(join(other, '.git'), `gitdir: ${join(main, '.git/worktrees/other')}\n`)
  expect(new GitStates({ now: () => 0, status: never }).of(other).branch).toBe('other')
})

test('git is asked in the background, and at most every ten seconds', async () => {
  const root = repository()
  let [time, isDirty] = [0, true]
  const asked: string[] = []
  const status = (at: string): Promise<boolean> => {
    asked.push(at)
    return Promise.resolve(isDirty)
  }
  const states = new GitStates({ now: () => time, status })
  expect(states.of(root).isDirty).toBeNull()
  await Promise.resolve()
  expect(states.of(root).isDirty).toBe(true)
  expect(asked).toEqual([root])
  time = 10_000
  isDirty = false
  expect(states.of(join(root, 'src')).isDirty).toBe(true)
  await Promise.resolve()
  expect(states.of(root).isDirty).toBe(false)
  expect(asked).toHaveLength(2)
})

test('with the real git', async () => {
  const root = tempDir()
  execFileSync('git', ['init', '-q', '-b', 'trunk', root])
  let time = 0
  const states = new GitStates({ now: () => time })
  const settled = async (): Promise<boolean | null> => {
    time += 10_000
    states.of(root)
    for (let { isDirty } = states.of(root); ; { isDirty } = states.of(root)) {
      if (isDirty !== null) return isDirty
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  expect(await settled()).toBe(false)
  expect(states.of(root).branch).toBe('trunk')
})
