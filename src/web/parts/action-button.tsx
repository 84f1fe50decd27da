import { useState } from 'preact/hooks'
import type { AgentAction } from '../store/actions.ts'
import { Icon } from './icon.tsx'
import { useAskAgain } from './use-ask-again.ts'

/** Does it; what ends something asks once more, in its own place. */
export const ActionButton = ({ action, isSmall = false }: { action: AgentAction; isSmall?: boolean }) => {
  const { asking, press } = useAskAgain()
  const [isBusy, setBusy] = useState(false)
  const { name, icon, isHard, of, run } = action
  const isArmed = asking !== null
  const act = async (): Promise<void> => {
    if (isHard && !press(name)) return
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
      aria-disabled={isArmed && !asking.isReady}
      onClick={() => void act()}
    >
      <Icon name={icon} />
      {isSmall && !isArmed ? null : <span class="action-word">{words}</span>}
    </button>
  )
}
