// Security event tokens (RFC 8417) of one kind: that sessions of a subject were revoked (CAEP 1.0, 3.1).

export const SESSION_REVOKED = 'https://schemas.openid.net/secevent/caep/event-type/session-revoked'
export const SET_TYPE = 'secevent+jwt'
