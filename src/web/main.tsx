import { render } from 'preact'
import { listenToKeys } from './keys.ts'
import { isOpen, link } from './link/api.ts'
import { pairWith } from './link/pairing.ts'
import { pairingCode } from './link/pairing-code.ts'
import { tellFailure } from './parts/toast.tsx'
import { Shell } from './shell.tsx'
import { startOutbox } from './store/tell.ts'
import { applyTheme } from './store/theme.ts'

if (pairingCode === null) link.start()
else void pairWith(pairingCode)
addEventListener('online', () => link.check())
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') link.check()
})

applyTheme()
listenToKeys()
startOutbox().catch(tellFailure)

const root = document.getElementById('root')
if (root !== null) render(<Shell />, root)

/** A browser that is shown the door is given nothing to keep. */
isOpen.subscribe((isIn) => {
  if (isIn) import('./store/app-worker.ts').then(({ startWorker }) => startWorker()).catch(tellFailure)
})
