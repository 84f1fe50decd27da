import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { leadsAway, placesOf } from './places.ts'

const places = (text: string): readonly (string | null)[] => placesOf(text, '/srv/app', '/home/dev')

test.each([
  ['npm test', []],
  ['echo cd web', []],
  ['cd web', ['/srv/app/web']],
  ['cd web && npm test', ['/srv/app/web']],
  ['cd /tmp/x; make', ['/tmp/x']],
  ['cd -- web', ['/srv/app/web']],
  ["cd 'my web' && ls", ['/srv/app/my web']],
  ['cd my\\ web && ls', ['/srv/app/my web']],
  ['cd web && cd ../api && make', ['/srv/app/web', '/srv/app/api']],
  ['pushd web && make && popd', ['/srv/app/web']],
  ['(cd web && make) && cd api', ['/srv/app/web', '/srv/app/api']],
  ['{ cd web; make; }; cd api', ['/srv/app/web', '/srv/app/web/api']],
  ['if cd web; then make; fi', ['/srv/app/web']],
  ['cd', ['/home/dev']],
  ['cd ~/x && make', ['/home/dev/x']],
  ['cd "$HOME/x y"', ['/home/dev/x y']],
  ['cd ${HOME} && ls', ['/home/dev']],
  ['cd -', [null]],
  ['cd $X && cd web', [null, null]],
  ['cd ~anna', [null]],
  ['cd "$(git rev-parse --show-toplevel)" && make', [null]],
  ['git -C web status', ['/srv/app/web']],
  ['cd web && git -C ../api log', ['/srv/app/web', '/srv/app/api']],
  ['sudo -u me git -C /tmp/x pull', ['/tmp/x']],
  ['git --work-tree=/tmp/x status', ['/tmp/x']],
  ['make -C web test', ['/srv/app/web']],
  ['npm --prefix web test', ['/srv/app/web']],
  ['grep -C 3 x a.txt', []],
  ['bash -lc "cd web && make"', ['/srv/app/web']],
  ['echo "$(cd web && ./tool)"', ['/srv/app/web']],
])('%s', (text, expected) => {
  expect(places(text)).toEqual(expected)
})

test('a home that is not known is nowhere', () => {
  expect(placesOf('cd ~/x', '/srv/app')).toEqual([null])
})

test.each([
  ['npm test', false],
  ['cd web && cd .. && make', false],
  ['cd ../x && make', true],
  ['cd /srv && make', true],
  ['cd $X && make', true],
  ['make -C /tmp/x test', true],
  ['make -C web test', false],
])('%s leads away: %s', (text, expected) => {
  expect(leadsAway(text)).toBe(expected)
})

test('whatever is written, a place is a whole path or unknown', () => {
  const part = fc.constantFrom('cd', ' ', 'a', '&&', '(', ')', '$(', '`', '"', "'", 'git', '-C', ';', '{', '}', 'if')
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      for (const place of places(parts.join(' '))) expect(place ?? '/').toMatch(/^\//)
    }),
  )
})
