import type { NotifyStatus } from '../../contract/outputs/notify.ts'
import { collectLines, printable } from '../format.ts'

export const notifyText = ({ isOn, events, details, by, state, error }: NotifyStatus): string => {
  if (!isOn) return 'Notifications are off. Switch them on: rein notify on'
  return collectLines(
    `Notifications are on, for: ${events.join(', ')}.`,
    by === null
      ? 'No desktop notifier is installed here, so only the terminal of rein top rings. Install notify-send (package libnotify-bin), then run: rein notify on'
      : `Shown by ${printable(by)}, ${details ? 'with what is asked' : 'without what is asked (--details shows that, too)'}. rein top rings its terminal as well.`,
    state !== null && state !== 'running' && `The notifier is ${state}: ${printable(error ?? 'it says nothing')}`,
  ).join('\n')
}
