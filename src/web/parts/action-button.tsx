import { useEffect, useState } from 'preact/hooks'
import type { AgentAction } from '../store/actions.ts'
import { Icon } from './icon.tsx'

const armedMs = 4_000

/** Does it; what ends something asks once more, in its own place. */
export const ActionButton = ({ action, isSmall = false }: { action: AgentAction; isSmall?: boolean }) => {
  const [isArmed, setArmed] = useState(false)
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    if (!isArmed) return undefined
    const timer = setTimeout(() => setArmed(false), armedMs)
    return () => clearTimeout(timer)
  }, [isArmed])
  const { name, icon, isHard, of, run } = action
  const press = async (): Promise<void> => {
    if (isHard && !isArmed) return setArmed(true)
    setArmed(false)
    setBusy(true)
    await run()
    setBusy(false)
  }
  const words = isArmed ? `${name}, really?` : name
  return (
    <button
      type="button"
      class={`button${isHard ? ' button-bad' : ''}${isArmed ? ' is-armed' : ''}`}
      aria-label={of === undefined ? words : `${words} ${of}`}
      title={words}
      disabled={isBusy}
      onClick={() => void press()}
    >
      <Icon name={icon} />
      {isSmall && !isArmed ? null : <span class="action-word">{words}</span>}
    </button>
  )
}
