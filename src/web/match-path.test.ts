import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { matchPath, pathTo, questionPath } from './match-path.ts'

describe('matchPath', () => {
  test('names the parts and reads the query', () => {
    expect(matchPath('/agent/:project/:handle', '/agent/shop/ada?at=3')).toEqual({
      params: { project: 'shop', handle: 'ada' },
      query: { at: '3' },
    })
  })

  test('the beginning is a path, too', () => {
    expect(matchPath('/', '/')).toEqual({ params: {}, query: {} })
  })

  test.each(['/agent/shop', '/agent/shop/ada/more', '/room/shop/ada', '/agent/%E0%A4/ada'])('refuses %s', (path) => {
    expect(matchPath('/agent/:project/:handle', path)).toBeNull()
  })

  test('takes back the question that a link leads to, whatever its id', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (id) => {
        expect(matchPath('/questions', questionPath(id))?.query).toEqual({ question: id })
      }),
    )
  })

  test('takes back what pathTo has made, whatever is in it', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (project, handle) => {
        expect(matchPath('/agent/:project/:handle', pathTo('agent', project, handle))?.params).toEqual({
          project,
          handle,
        })
      }),
    )
  })
})
