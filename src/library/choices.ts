// What a field of a library item can be, with the labels that pages show.

export const kindLabels = { workflow: 'Workflow', automation: 'Automation', org: 'Org' } as const
export type Kind = keyof typeof kindLabels

export const visibilityLabels = { private: 'Private', public: 'Public', official: 'Official' } as const
