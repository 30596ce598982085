// Statements about files (in-toto Statement v1), as the payload of an envelope.

const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1'
/** What an envelope with a statement says of its payload. */
export const PAYLOAD_TYPE = 'application/vnd.in-toto+json'

export interface Statement<Predicate> {
  /** The files that it is about. */
  subject: { name: string; digest: { sha256: string } }[]
  predicateType: string
  predicate: Predicate
}

/** The payload: the fields in this order and without spaces, so that it is made in one way alone. */
export const statementText = <Predicate>({ subject, predicateType, predicate }: Statement<Predicate>): string =>
  JSON.stringify({ _type: STATEMENT_TYPE, subject, predicateType, predicate })
