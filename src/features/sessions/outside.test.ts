import { expect, test } from 'vitest'
import { writtenOutside } from './outside.ts'

const use = (name: string, input: Record<string, unknown>) => ({ type: 'tool_use' as const, id: 'x', name, input })

test('what a tool was told to write elsewhere is named, in the words of each CLI', () => {
  const patch = '*** Begin Patch\n*** Update File: ../a.txt\n*** Add File: in.txt\n*** Move to: /b.txt\n*** End Patch'
  const blocks = [
    use('Write', { file_path: '/etc/motd', content: '' }),
    use('edit', { filePath: 'src/in.ts' }),
    use('replace', { path: '/p/sub/in.txt' }),
    use('apply_patch', { input: patch }),
    use('Read', { file_path: '/etc/passwd' }),
    use('Write', { file_path: '/project2/x' }),
  ]
  expect(writtenOutside(blocks, '/p', '/p/sub')).toEqual(['/b.txt', '/etc/motd', '/project2/x'])
  expect(writtenOutside(blocks, '/p', '/p')).toContain('/a.txt')
})
