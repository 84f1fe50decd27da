import type { DeviceView } from '../../contract/routes/web.ts'
import { call, me } from '../link/api.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Ago } from '../parts/ago.tsx'
import { attempt, tellSuccess } from '../parts/toast.tsx'
import { useAnswer } from '../parts/use-answer.ts'
import { Waiting } from '../parts/waiting.tsx'

/** Every browser that may come in, for those who may send it away. */
export const Devices = () => {
  const { value, error, again } = useAnswer('devices', () => call('devices', {}))
  const revoke = async ({ id, name }: DeviceView): Promise<void> => {
    await attempt(async () => {
      await call('revokeDevice', { id })
      tellSuccess(`${name} is revoked.`)
    })
    again()
  }
  return (
    <section class="settings-part" aria-labelledby="settings-devices">
      <h2 id="settings-devices">Paired browsers</h2>
      {value === null ? (
        <Waiting error={error} />
      ) : (
        <ul class="rows">
          {value.map((device) => (
            <li key={device.id} class="rows-row">
              <div class="grow">
                <div>
                  <strong>{device.name}</strong>
                  {device.id === me.value?.id ? <span class="soft"> · this browser</span> : null}
                </div>
                <div class="small soft">
                  {device.scopes.join(', ')} · paired <Ago at={device.pairedAt} /> ago · <LastSeen device={device} />
                </div>
              </div>
              <ActionButton
                action={{ name: 'Revoke', of: device.name, icon: 'close', isHard: true, run: () => revoke(device) }}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const LastSeen = ({ device: { connections, lastSeenAt } }: { device: DeviceView }) => {
  if (connections > 0) return <>connected now</>
  if (lastSeenAt === null) return <>never connected</>
  return (
    <>
      connected <Ago at={lastSeenAt} /> ago
    </>
  )
}
