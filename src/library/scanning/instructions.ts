// Sentences that speak to an agent behind the back of its user, and comments that readers of a rendered text do not see.
import type { Found, Severity } from './rules.ts'
import type { TextView } from './text-view.ts'

interface Sentence {
  pattern: RegExp
  severity: Severity
  reason: string
}

/** Every wildcard has a bound, so that the work grows with the text alone. */
const sentences: readonly Sentence[] = [
  {
    pattern:
      /\b(?:ignore|disregard|forget|override|bypass)\b[^\n]{0,30}\b(?:previous|prior|above|earlier|preceding|system|(?:all|any)(?: of)?(?: the| your)?)\b[^\n]{0,20}\b(?:instructions?|prompts?|guidelines|guardrails|safety rules)\b/i,
    severity: 'suspicious',
    reason: 'tells an agent to ignore its instructions',
  },
  {
    pattern:
      /\b(?:do not|don['’]t|never|must not) (?:tell|inform|notify|alert|warn)\b[^\n]{0,12}\b(?:the|your) (?:user|human|owner|operator)\b(?! (?:about their|that their))|\bwithout (?:telling|informing|notifying|alerting|asking) (?:the|your) (?:user|human|owner|operator)\b/i,
    severity: 'suspicious',
    reason: 'tells an agent to keep something from its user',
  },
  {
    pattern: /<\/?(?:system|system[_-](?:prompt|message|reminder))>|<\|(?:im_start|im_end|system)\|>|<<SYS>>|\[INST\]/i,
    severity: 'suspicious',
    reason: 'imitates the frame of a conversation with a model',
  },
  {
    pattern:
      /\b(?:reveal|print|repeat|output|leak|disclose)\b[^\n]{0,20}\b(?:your|the) (?:system|hidden|initial|secret) (?:prompts?|instructions?)\b/i,
    severity: 'suspicious',
    reason: 'asks an agent for its instructions',
  },
  {
    pattern:
      /\b(?:send|post|upload|forward|exfiltrate|transmit|leak|copy)\b[^\n]{0,60}(?:~\/\.ssh|\bid_(?:rsa|ed25519)\b|\.aws\/credentials|\.env\b|\b(?:api|private|access) keys?\b|\bcredentials\b|\bcookies\b|\benvironment variables\b)[^\n]{0,60}\bhttps?:\/\//i,
    severity: 'severe',
    reason: 'tells an agent to send secrets to an address',
  },
]

/** What a fence looks for is no instruction (formats.md, section 1). */
const LOOKED_FOR = new Set(['pattern', 'denyPattern'])
/** Characters between the letters would keep a sentence from being found. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu
const LONGEST_LINE = 20_000

export function findInstructions(view: TextView, found: Found): void {
  let at = 0
  for (const line of view.text.split('\n')) {
    const { line: number, field } = view.placeOf(at)
    at += line.length + 1
    if (LOOKED_FOR.has(field)) continue
    for (let from = 0; from < line.length; from += LONGEST_LINE) {
      const seen = line
        .slice(from, from + LONGEST_LINE + 300)
        .replace(INVISIBLE, '')
        .normalize('NFKC')
      for (const { pattern, severity, reason } of sentences) {
        if (!pattern.test(seen)) continue
        found.add({ rule: 'agent-instruction', severity, reason, path: view.path, line: number })
        break
      }
    }
  }
  if (view.use !== 'script') findComments(view, found)
}

/** A link that nothing uses is shown nowhere: `[//]: # (words)`. */
const UNSEEN_LINK = /^\[(?:\/\/|comment)\]: {0,4}#? {0,4}[("']([^\n]{0,2000})[)"']$/gim
/** Longer comments are cut. */
const LONGEST_COMMENT = 4_000
/** Marks of tools that write and check texts. */
const OF_TOOLS =
  /^\s*(?:\/?(?:toc|doctoc|start|end|begin|badges?|omit)\b|prettier|markdownlint|textlint|eslint|vale|cspell|spell|spdx|copyright|generated|all-contributors)/i
const SPEAKS =
  /\b(?:ai|llm|assistant|agent|claude|gpt|copilot|gemini|model|bot)s?\b[\s\S]{0,200}\b(?:must|should|please|always|never|do not|ignore|run|execute|send|install|you)\b|\byou (?:must|should|are|will|have to)\b/i

function findComments(view: TextView, found: Found): void {
  for (const { at, words } of commentsIn(view.text)) {
    if (words.trim() === '' || OF_TOOLS.test(words)) continue
    const { line, field } = view.placeOf(at)
    if (LOOKED_FOR.has(field)) continue
    const speaks = SPEAKS.test(words)
    found.add({
      rule: 'hidden-comment',
      severity: speaks ? 'suspicious' : 'note',
      path: view.path,
      line,
      reason: speaks ? 'a comment that readers do not see speaks to an agent' : 'a comment that readers do not see',
    })
  }
}

/** Goes through the text once, also where a tag opens and never closes. */
function* commentsIn(text: string): Generator<{ at: number; words: string }> {
  for (let at = text.indexOf('<!--'); at !== -1; ) {
    const end = text.indexOf('-->', at + 4)
    if (end === -1) break
    yield { at, words: text.slice(at + 4, Math.min(end, at + 4 + LONGEST_COMMENT)) }
    at = text.indexOf('<!--', end + 3)
  }
  for (const { index, 1: words = '' } of text.matchAll(UNSEEN_LINK)) yield { at: index, words }
}
