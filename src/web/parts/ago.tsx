import { signal } from '@preact/signals'
import { now } from '../link/api.ts'
import { ageText } from './time.ts'

const tickMs = 5_000
const tick = signal(Date.now())
setInterval(() => {
  if (document.visibilityState === 'visible') tick.value = Date.now()
}, tickMs)

/** How long ago something was; it moves by itself. */
export const Ago = ({ at }: { at: number }) => (
  <time class="ago" dateTime={new Date(at).toISOString()} title={new Date(at).toLocaleString()}>
    {tick.value > 0 ? ageText(at, now()) : ''}
  </time>
)
