// Completion in shells, as far as they are on this machine.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryDirectory } from '../../test/temporary.ts'
import { commands } from '../src/commands.ts'
import { guildhall } from './run-cli.ts'

const isThere = (shell: string) => spawnSync(shell, ['--version']).status === 0

/** What bash offers for these words, of which the last one is being written. */
function offered(script: string, words: string[]): string[] {
  const line = words.map((word) => `'${word}'`).join(' ')
  const text = `${script}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _guildhall; printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['-c', text], { encoding: 'utf8', cwd: '/' }).trim().split('\n')
}

describe('completion', () => {
  it('in bash offers commands, second words and options', async (t) => {
    const home = await temporaryDirectory(t)
    const { output } = await guildhall(['completion', 'bash'], { home })
    assert.deepEqual(offered(output, ['guildhall', 'inst']), ['install'])
    assert.deepEqual(offered(output, ['guildhall', 'bug', '']), ['new', 'list', 'show'])
    assert.deepEqual(offered(output, ['guildhall', 'bug', 'new', '--desc']), ['--description'])
    assert.deepEqual(offered(output, ['guildhall', 'update', '--a']), ['--allow'])
    assert.deepEqual(offered(output, ['guildhall', 'update', 'x', '--f']), ['--force'])
    assert.deepEqual(offered(output, ['guildhall', 'publish', '/et']), ['/etc'])
    const firsts = new Set(Object.keys(commands).map((name) => name.split(' ')[0]))
    assert.deepEqual(offered(output, ['guildhall', '']), [...firsts, 'api', 'help'].sort())
  })

  for (const shell of ['bash', 'zsh', 'fish']) {
    it(`for ${shell} names every command and option, in a script that the shell reads`, async (t) => {
      const home = await temporaryDirectory(t)
      const { output } = await guildhall(['completion', shell], { home })
      for (const [name, { options = {} }] of Object.entries(commands)) {
        for (const word of [...name.split(' '), ...Object.keys(options)]) assert.ok(output.includes(word), word)
      }
      if (!isThere(shell)) return
      writeFileSync(join(home, 'script'), output)
      execFileSync(shell, ['-n', join(home, 'script')])
      if (shell !== 'fish') return
      const asked = `source ${join(home, 'script')}; complete -C 'guildhall inst'; complete -C 'guildhall bug new --desc'`
      assert.match(execFileSync(shell, ['-c', asked], { encoding: 'utf8' }), /^install\t.*\n--description/)
    })
  }

  it('is for shells that are known', async (t) => {
    const home = await temporaryDirectory(t)
    for (const words of [['completion'], ['completion', 'tcsh'], ['completion', 'constructor']])
      assert.equal((await guildhall(words, { home })).code, 2)
  })
})
