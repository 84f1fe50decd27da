import { expect, test } from 'vitest'
import { isNamed, resolveProject } from './resolve-project.ts'

const known = ['api-000001', 'shop-000001', 'shop-000002']
const errorOf = (given: string, all = known): unknown => {
  try {
    return resolveProject(all, given)
  } catch (cause) {
    return cause
  }
}

test('a project is meant by its whole name, or by a part that no other one has', () => {
  expect(['shop-000002', 'api', 'api-000001'].map((name) => resolveProject(known, name))).toEqual([
    'shop-000002',
    'api-000001',
    'api-000001',
  ])
  expect([isNamed('shop-000001', 'shop'), isNamed('shop-000001', 'shop-000002')]).toEqual([true, false])
})

test('a name that is unknown or not enough is an error that names those that there are', () => {
  expect(errorOf('shop')).toMatchObject({ code: 'usage', hint: 'Say which: shop-000001, shop-000002.' })
  expect(errorOf('website')).toMatchObject({
    code: 'not_found',
    message: 'There is no project "website".',
    hint: 'There are: api-000001, shop-000001, shop-000002.',
  })
  expect(errorOf('shop-00001')).toMatchObject({ hint: 'Did you mean shop-000001?' })
  expect(errorOf('shop', [])).toMatchObject({ hint: 'None is known yet.' })
})
