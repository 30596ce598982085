import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fitText } from './fit-text.ts'

describe('a text in a box', () => {
  const fit = (text: string, lines = 2) => fitText(text, 160 / 14, lines)
  it('is wrapped at words, and cut in the last line', () => {
    assert.deepEqual(fit('Desk Lead'), ['Desk Lead'])
    assert.deepEqual(fit('Senior Customer Support Lead'), ['Senior Customer', 'Support Lead'])
    assert.deepEqual(fit('Senior Customer Support Specialist for Complaints'), [
      'Senior Customer',
      'Support Specialist f…',
    ])
    assert.deepEqual(fit('Donaudampfschifffahrtsgesellschaft'), ['Donaudampfschifffahr', 'tsgesellschaft'])
    assert.deepEqual(fit('a\n\tb '), ['a b'])
    assert.deepEqual(fit(' '), [])
  })
  it('is wrapped in any script, and never within a character', () => {
    assert.deepEqual(fit('請求書照合担当者請求書照合担当者', 1), ['請求書照合担当者請…'])
    assert.deepEqual(fit('👩🏽‍🚀'.repeat(20), 1), [`${'👩🏽‍🚀'.repeat(9)}…`])
  })
})
