import { link } from '../link/api.ts'
import { forgetDevice } from '../link/device.ts'
import { attempt } from '../parts/toast.tsx'
import { listDrafts } from './drafts.ts'
import { lossText } from './loss-text.ts'
import { forgetPostTries } from './post-tries.ts'
import { forgetPush } from './push.ts'
import { drafts, outbox } from './tell.ts'

/** What a person loses with the key; empty: nothing. */
export const findLoss = (): string => lossText(outbox.waiting.value.length, listDrafts().length)

/** The next visit begins unpaired, with nothing of this one. What fails is told, and keeps nothing else from being forgotten. */
export const forgetBrowser = async (): Promise<void> => {
  await attempt(forgetPush)
  await outbox.clear()
  for (const draft of listDrafts()) drafts.write(draft, '')
  forgetPostTries()
  await attempt(forgetDevice)
  link.start()
}
