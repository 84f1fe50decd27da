import path from 'node:path'
import { readShell } from '../../base/shell/read.ts'
import { WorkBudget } from '../../base/util/work-budget.ts'
import type { World } from './types.ts'
import { callUnits } from './world.ts'

/** A world in which nothing is known but what is given: no agent, no branch, no files; and no agent waits. */
export const plainWorld = (given: Partial<World> & Pick<World, 'root' | 'now'>): World => ({
  cwd: given.root,
  work: new WorkBudget(callUnits),
  home: null,
  agent: null,
  branch: () => Promise.resolve(null),
  isDirty: () => Promise.resolve(false),
  realPath: (file) => Promise.resolve(path.resolve(given.cwd ?? given.root, file)),
  entries: () => Promise.resolve(null),
  rootBeside: () => Promise.resolve(null),
  readFile: () => Promise.resolve(null),
  lease: () => Promise.resolve('none'),
  budgetUsed: () => null,
  ran: () => [],
  hasEdited: () => false,
  readShell: (command, cwd) => readShell(command, { cwd, home: given.home ?? null }),
  patienceMs: 10_000,
  ...given,
})
