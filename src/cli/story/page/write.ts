import { closeSync, lstatSync, openSync, readSync } from 'node:fs'
import { ReinError } from '../../../contract/errors.ts'
import type { Story } from '../../../contract/routes/story.ts'
import { writeFileAtomic } from '../../../base/util/atomic-write.ts'
import { printable } from '../../format.ts'
import { pageBeginning, storyPage } from './page.ts'

/** Takes the place of another story, and of nothing else unless it is wanted. */
export const writePage = async (file: string, story: Story, isForced: boolean): Promise<void> => {
  const beforeRename = (): void => {
    if (!isForced) refuseForeign(file)
  }
  await writeFileAtomic(file, storyPage(story), { beforeRename })
}

/** Exported for commands that would otherwise do their work in vain. */
export const refuseForeign = (file: string): void => {
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (found === undefined || (found.isFile() && isStory(file))) return
  if (found.isDirectory()) throw new ReinError('refused', `${printable(file)} is a directory.`, 'Name a file in it.')
  const message = `${printable(file)} is there already, and is no story.`
  throw new ReinError('refused', message, 'Choose another file, or write over it: --force')
}

const isStory = (file: string): boolean => {
  const beginning = Buffer.alloc(Buffer.byteLength(pageBeginning))
  const handle = openSync(file, 'r')
  try {
    readSync(handle, beginning)
    return beginning.toString() === pageBeginning
  } finally {
    closeSync(handle)
  }
}
