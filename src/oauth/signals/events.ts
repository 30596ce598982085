// Security event tokens (RFC 8417): that sessions of a subject were revoked (CAEP 1.0, 3.1), and that a stream works.

export const SESSION_REVOKED = 'https://schemas.openid.net/secevent/caep/event-type/session-revoked'
/** That a stream works (SSF 1.0, 8.1.4.1). */
export const VERIFICATION = 'https://schemas.openid.net/secevent/ssf/event-type/verification'
export const SET_TYPE = 'secevent+jwt'
