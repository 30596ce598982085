// The package as a user has it: packed, installed in an empty folder, and the examples of its README.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../..')
const run = (command: string, args: string[], cwd: string) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: 'pipe' })

/** The TypeScript of the README, block by block, with this server in place of the one of the examples. */
export function examplesFor(url: string): string[] {
  const text = readFileSync(join(ROOT, 'client/README.md'), 'utf8')
  const blocks = [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((match) => match[1]!)
  return blocks.map((block) => block.replaceAll('https://guildhall.example', url))
}

/** The example with this text in it. */
export function exampleWith(text: string, url: string): string {
  const found = examplesFor(url).filter((example) => example.includes(text))
  assert.equal(found.length, 1, `${found.length} examples have ${text}`)
  return found[0]!
}

/**
 * Packs a workspace into a folder; returns the path of the tarball. It is built there and not in the workspace: several tests
 * pack the same workspace at the same time, and each build begins by removing the one before.
 */
export function pack(workspace: string, folder: string): string {
  const from = join(ROOT, workspace)
  const built = join(folder, `build-${workspace}`)
  mkdirSync(built)
  for (const name of ['package.json', 'README.md', 'LICENSE']) copyFileSync(join(from, name), join(built, name))
  run(process.execPath, [join(from, 'build.js'), join(built, 'dist')], ROOT)
  const output = run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], built)
  rmSync(built, { recursive: true })
  return join(folder, output.trim().split('\n').at(-1)!)
}

/** Installs a tarball in a folder that has nothing else. */
export function install(tarball: string, folder: string): void {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'user', private: true, type: 'module' }))
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--silent', tarball], folder)
}

/** Checks the types of these programs as a user would, and compiles them to dist/<n>.js; fails with what the compiler says. */
export function compile(programs: string[], folder: string): void {
  mkdirSync(join(folder, 'programs'))
  programs.forEach((program, n) => {
    writeFileSync(join(folder, `programs/${n}.ts`), program)
  })
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2022', 'dom', 'dom.iterable'],
    strict: true,
    exactOptionalPropertyTypes: true,
    typeRoots: [join(ROOT, 'node_modules/@types')],
    types: ['node'],
    outDir: 'dist',
    rootDir: 'programs',
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['programs'] }))
  try {
    run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.'], folder)
  } catch (error) {
    throw new Error(`The compiler complains:\n${(error as { stdout: string }).stdout}`)
  }
}
