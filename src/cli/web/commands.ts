import { buildRouteMap } from '@stricli/core'
import type { Scope } from '../../contract/scope.ts'
import { scopes } from '../../contract/scopes.ts'
import { command } from '../command.ts'
import { argument, flag, tuple } from '../parameters.ts'

const parseScopes = (text: string): Scope[] =>
  text.split(',').map((given) => {
    const scope = scopes.find((one) => one === given.trim())
    if (scope !== undefined) return scope
    throw new SyntaxError(`"${given}" is none of ${scopes.join(', ')}`)
  })

const host = flag.text('NAME', 'One of the setting web.hosts, for the address [default: the first of these]')

export const web = {
  web: buildRouteMap({
    docs: { brief: 'Open the page: agents, questions, receipts; also on your phone' },
    defaultCommand: 'open',
    routes: {
      open: command({
        brief: 'Open the page in the browser of this machine',
        more: '`open` may be left out. The address pairs one browser, once, within five minutes; a browser that is paired already stays so. Without a browser, or with --url, the address is printed.',
        examples: ['rein web', 'rein web --url'],
        next: ['rein web pair', 'rein web devices'],
        flags: { url: flag.yes('Print the address, and open nothing') },
        load: () => import('./open.ts'),
      }),
      pair: command({
        brief: 'Pair a phone or another browser',
        more: 'Shows a QR code and the address, for one device, once, within five minutes. The device needs a way to this machine: rein docs web.\nread: see agents, conversations and receipts. tell: send messages. answer: answer questions. control: start, stop and interrupt agents. files: rewind and move files. admin: devices, channels, notes, the daemon.',
        examples: ['rein web pair --name phone', 'rein web pair --scope read,answer --host box.tail1234.ts.net'],
        next: ['rein web devices'],
        flags: {
          scope: flag.parsed('LIST', 'What the device may do [default: read,tell,answer]', parseScopes),
          name: flag.text('NAME', 'What to call it [default: as it names itself]'),
          host,
        },
        load: () => import('./pair.ts'),
      }),
      devices: command({
        brief: 'List the paired devices',
        examples: ['rein web devices', 'rein web devices --all --json'],
        flags: { all: flag.yes('Also the revoked ones') },
        load: () => import('./devices.ts'),
      }),
      revoke: command({
        brief: 'End what a device may do, at once',
        examples: ['rein web revoke phone', 'rein web revoke dev_c21d0a7b'],
        next: ['rein web devices'],
        args: tuple(argument.device),
        load: () => import('./revoke.ts'),
      }),
    },
  }),
}
