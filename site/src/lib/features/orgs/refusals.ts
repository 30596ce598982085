// Assigns API errors about files and definitions to form fields.

const DEFINITION_PATH = /^(?!orgJson:)[^\s:]+: /

/**
 * A refusal of a definition names a dotted path in it (`roles.0.id: expected ...`): that stays in the sentence, and the
 * sentence goes to the field the definition was typed in.
 */
export function ofDefinition(thrown: unknown): never {
  if (isInvalid(thrown)) {
    const { message } = thrown
    if (DEFINITION_PATH.test(message)) thrown.message = `orgJson: At ${message}`
    else if (!message.startsWith('orgJson:')) thrown.message = `orgJson: ${message}`
  }
  throw thrown
}

/** A refusal of an upload names the field, or the file by its own name (`report.md: must be ...`). */
export function ofFiles(message: string, name: string, fields: readonly string[] = []): string {
  if ([name, ...fields].some((field) => message.startsWith(`${field}: `))) return message
  return `${name}: ${message}`
}

const isInvalid = (thrown: unknown): thrown is Error =>
  thrown instanceof Error && thrown.name === 'ApiError' && (thrown as Error & { status: number }).status === 400
