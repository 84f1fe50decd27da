import { call, may } from '../link/api.ts'
import { shown } from '../parts/text.ts'
import { useAnswer } from '../parts/use-answer.ts'
import { Waiting } from '../parts/waiting.tsx'

/** Under which names this page is reached; they are changed on the machine alone. */
export const Address = () => (
  <section class="settings-part" aria-labelledby="settings-address">
    <h2 id="settings-address">Address</h2>
    <p>
      This page came from <code>{location.host}</code>. Rein answers under <code>127.0.0.1</code> and the names in its
      setting <code>web.hosts</code>.
    </p>
    {may('admin') ? <Hosts /> : null}
  </section>
)

const Hosts = () => {
  const { value, error } = useAnswer('webHosts', () => call('webHosts', {}))
  if (value === null) return <Waiting error={error} />
  const { hosts, port } = value
  const list = hosts.length === 0 ? 'localhost:8080' : `'${hosts.join(' ')}'`
  return (
    <>
      <ul class="rows">
        {[`127.0.0.1:${port}`, ...hosts].map((host) => (
          <li key={host} class="rows-row">
            <code>{shown(host)}</code>
          </li>
        ))}
      </ul>
      <p class="soft">
        To change the names, type them on the machine where Rein runs, as in{' '}
        <code>rein config set web.hosts {shown(list)}</code>, and then <code>rein daemon stop</code>: agents go on.
      </p>
    </>
  )
}
