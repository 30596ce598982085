// Assigns API errors about files and definitions to form fields.
import type { SiteWords } from '#lib/language/catalogue.ts'
import type { Refusal } from '#lib/server/answers.ts'

const DEFINITION_PATH = /^(?!orgJson:)[^\s:]+: /

/**
 * A refusal of a definition names a dotted path in it (`roles.0.id: expected ...`): that stays in the sentence, and the
 * sentence goes to the field the definition was typed in.
 */
export const ofDefinition =
  (t: SiteWords) =>
  (refusal: Refusal): void => {
    const { status, message } = refusal
    if (status !== 400 || message.startsWith('orgJson:')) return
    refusal.message = `orgJson: ${DEFINITION_PATH.test(message) ? t('orgs.new.at', { problem: message }) : message}`
  }

/** A refusal of an upload names the field, or the file by its own name (`report.md: must be ...`). */
export function ofFiles(message: string, name: string, fields: readonly string[] = []): string {
  if ([name, ...fields].some((field) => message.startsWith(`${field}: `))) return message
  return `${name}: ${message}`
}
