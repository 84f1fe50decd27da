// The licences of the packages whose code is bundled into dist/.
import { existsSync, readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'

const LICENSE_FILE = /^(licen[sc]e|copying|notice)([.-].*)?$/i
const RULE = '-'.repeat(80)

/** The directories of the packages that these modules are from. */
export function packagesOf(modules) {
  const files = modules.filter((id) => path.isAbsolute(id) && id.includes(`${path.sep}node_modules${path.sep}`))
  return [...new Set(files.map(packageAround))]
}

/** A package may have further package.json files inside, which only say how to load a folder. */
function packageAround(file) {
  const directory = path.dirname(file)
  const manifest = path.join(directory, 'package.json')
  const isPackage = existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version !== undefined
  return isPackage ? directory : packageAround(directory)
}

/** The directories of the packages that a package depends on itself. */
export async function listDependencies(directory) {
  const manifest = path.join(directory, 'package.json')
  const { dependencies = {} } = JSON.parse(await readFile(manifest, 'utf8'))
  const { resolve } = createRequire(manifest)
  return Object.keys(dependencies).map((name) => path.dirname(resolve(`${name}/package.json`)))
}

/** One section for each package: its name, version and licence, and the texts that it comes with. */
export async function describeLicenses(directories) {
  const sections = await Promise.all(directories.map(describeLicense))
  const intro = 'Code of these packages is part of the programs in this directory. Each has its own licence.\n'
  return [intro, ...sections].join(`\n${RULE}\n\n`)
}

async function describeLicense(directory) {
  const { name, version, license, author, homepage } = JSON.parse(
    await readFile(path.join(directory, 'package.json'), 'utf8'),
  )
  const names = (await readdir(directory)).filter((file) => LICENSE_FILE.test(file)).toSorted()
  if (license === undefined && names.length === 0) throw new Error(`${name} does not state its licence: ${directory}`)
  const texts = await Promise.all(names.map((file) => readFile(path.join(directory, file), 'utf8')))
  const by = typeof author === 'string' ? author : author?.name
  // Not every package comes with the text of its licence.
  const origin = texts.length > 0 ? [] : [by, homepage].filter((line) => line !== undefined)
  const head = [`${name} ${version}`, `Licence: ${license ?? 'see below'}`, ...origin]
  return `${[head.join('\n'), ...texts.map((text) => text.trim())].join('\n\n')}\n`
}
