import { chmod, copyFile, lstat, mkdir, readdir, rename, rmdir, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { oddPaths } from './diff.ts'
import { codeOf, isAbsent } from './errors.ts'
import type { Held } from './held.ts'
import type { World } from './layer.ts'
import { isProgram, permissionBits } from './modes.ts'
import { isBelow, type PathText, parentsOf, pathAt, pathText } from './path-text.ts'
import type { Plan } from './plan.ts'

/** Carries out a plan. Every file is the old one or the new one at any time; what fails does not keep the rest from being done. */
export class Applier {
  readonly #world: World
  readonly #now: Held
  readonly #target: Held
  readonly #isAsSaved: (path: PathText) => Promise<boolean>
  /** Directories that had to be opened for writing, with what they were. */
  readonly #opened = new Map<PathText, number>()
  readonly #failed: PathText[] = []
}
