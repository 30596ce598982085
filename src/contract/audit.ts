// Actions of the audit log. Each is declared once, with its title, in a contract, a subject or a room's audit-actions.ts; only a declared
// action can be recorded.

export class AuditAction {
  /** What it is done to, unless the entry says otherwise: `bug`. */
  readonly subject: string
  /** As the log and its filter have it: `bug.delete`. */
  readonly name: string
  /** As pages show it. */
  readonly title: string
  // Makes the type nominal: an object that looks the same is not a declaration.
  readonly #declared = true

  constructor(subject: string, verb: string, title: string) {
    this.subject = subject
    this.name = `${subject}.${verb}`
    this.title = title
  }

  static isDeclared(value: object): boolean {
    return #declared in value
  }
}

/** The actions on one subject: their verbs, each with the title of the action. */
export function auditActions<Verb extends string>(
  subject: string,
  titles: Readonly<Record<Verb, string>>,
): Readonly<Record<Verb, AuditAction>> {
  const actions = Object.entries<string>(titles).map(([verb, title]) => [verb, new AuditAction(subject, verb, title)])
  return Object.fromEntries(actions)
}
