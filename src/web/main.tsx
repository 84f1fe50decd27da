// The first import: no other code may see the code of the address bar.
import { pairingCode } from './link/pairing-code.ts'
import { render } from 'preact'
import { link } from './link/api.ts'
import { pairWith } from './link/pairing.ts'
import { Shell } from './shell.tsx'

if (pairingCode === null) link.start()
else void pairWith(pairingCode)
addEventListener('online', () => link.check())
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') link.check()
})

const root = document.getElementById('root')
if (root !== null) render(<Shell />, root)
