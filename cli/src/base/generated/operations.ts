// Made by `npm run cli:generate` from service/openapi.json. Do not edit.
import type { OperationFacts } from '../operation-facts.ts'

export const apiVersion = "2026-07-02"

export const allScopes = [
  "offering.read",
  "account.create",
  "account.read",
  "account.update",
  "wallet.read",
  "order.create",
  "order.read",
  "order.update",
  "order.delete"
] as const

export const eventTypes = [
  "account.created",
  "account.updated",
  "account.approval_changed",
  "benefiting_person.created",
  "offering.opened",
  "offering.closed",
  "order.created",
  "order.part_paid",
  "order.paid",
  "order.not_paid_in_time",
  "order.extended",
  "order.accepted",
  "order.blocked",
  "order.ready_to_mint",
  "order.gate_lost",
  "order.minting",
  "order.mint_failed",
  "order.minted",
  "order.cancelled",
  "payment.received",
  "refund.due",
  "refund.sent",
  "refund.settled",
  "refund.failed",
  "refund.withdrawn",
  "wallet.registered",
  "wallet.activated",
  "wallet.suspended",
  "wallet.resumed",
  "wallet.retired",
  "wallet.reopened",
  "wallet.expired",
  "transaction.pending",
  "transaction.confirmed",
  "credential.issued",
  "credential.changed",
  "credential.rotated",
  "credential.disabled"
] as const

export const operations = {
  "authenticate": {
    "summary": "Obtain an access token",
    "description": "Exchanges a credential for an access token of 600 seconds that carries the scopes asked for. Get a new one shortly before it ends; asking for one on every request uses up the rate limit. Members that are not listed here are ignored.\n\nNeeds no token.",
    "takesKey": false,
    "params": [],
    "query": [],
    "body": [
      {
        "path": [
          "client_id"
        ],
        "kind": "text",
        "description": "The id of the credential."
      },
      {
        "path": [
          "client_secret"
        ],
        "kind": "text",
        "description": "One of the live secrets of the credential."
      },
      {
        "path": [
          "scopes"
        ],
        "kind": "text",
        "description": "What the token shall be allowed to do. All of it must be granted to the credential."
      },
      {
        "path": [
          "api_version"
        ],
        "kind": "text",
        "choices": [
          "2026-07-02"
        ],
        "description": "The version of the contract. Default: that of the credential."
      }
    ]
  },
  "createAccount": {
    "summary": "Create an account",
    "description": "An account is an investor: a person (`INDIVIDUAL`, with `individual`) or a company (`COMPANY`, with `company`). Send `kyc` or `kyb`, not both; what is not sent is `NEW`.\n\nNeeds the scope `account.create`.",
    "takesKey": true,
    "params": [],
    "query": [],
    "body": [
      {
        "path": [
          "type"
        ],
        "kind": "text",
        "choices": [
          "INDIVIDUAL",
          "COMPANY"
        ],
        "description": ""
      },
      {
        "path": [
          "individual",
          "firstName"
        ],
        "kind": "text",
        "description": ""
      },
      {
        "path": [
          "individual",
          "lastName"
        ],
        "kind": "text",
        "description": ""
      },
      {
        "path": [
          "individual",
          "birth_date"
        ],
        "kind": "text",
        "description": "Date of birth."
      },
      {
        "path": [
          "individual",
          "birth_place"
        ],
        "kind": "text",
        "description": ""
      },
      {
        "path": [
          "individual",
          "citizenship"
        ],
        "kind": "text",
        "description": "Citizenship."
      },
      {
        "path": [
          "individual",
          "gender"
        ],
        "kind": "text",
        "choices": [
          "F",
          "M",
          "D"
        ],
        "description": "Empty when not stated."
      },
      {
        "path": [
          "individual",
          "street"
        ],
        "kind": "text",
        "description": ""
      },
      {
        "path": [
          "individual",
          "city"
        ],
        "kind": "text",
        "description": ""
      },
      {
        "path": [
          "individual",
          "zip"
        ],
        "kind": "text",
        "description": ""
      },
      {
        "path": [
          "individual",
          "state"
        ],
        "kind": "text",
        "description": "Where a country has no states, send the region or a filler."
      },
      {
        "path": [
          "individual",
          "country"
        ],
        "kind": "text",
        "description": "Where it is."
      },
      {
        "path": [
          "individual",
          "phone"
        ],
        "kind": "text",
        "description": ""
      },
      {
        "path": [
          "company",
          "name"
        ],
        "kind": "text",
        "description": ""
      },
      {
        "path": [
          "company",
          "registration_number"
        ],
        "kind": "text",
        "description": ""
      },
      {
        "path": [
          "company",
          "legal_form"
        ],
        "kind": "text",
        "description": ""
      },
      {
        "path": [
          "company",
          "vat_id"
        ],
        "kind": "text",
        "description": "Where a company has none, send a filler."
      },
      {
        "path": [
          "company",
          "incorporation_date"
        ],
        "kind": "text",
        "description": "Date of incorporation."
      },
      {
        "path": [
          "company",
          "street"
        ],
        "kind": "text",
        "description": ""
      },
      {
        "path": [
          "company",
          "city"
        ],
        "kind": "text",
        "description": ""
      },
      {
        "path": [
          "company",
          "zip"
        ],
        "kind": "text",
        "description": ""
      },
      {
        "path": [
          "company",
          "state"
        ],
        "kind": "text",
        "description": "Where a country has no states, send the region or a filler."
      },
      {
        "path": [
          "company",
          "country"
        ],
        "kind": "text",
        "description": "Where it is."
      },
      {
        "path": [
          "company",
          "phone"
        ],
        "kind": "text",
        "description": ""
      },
      {
        "path": [
          "communication",
          "email"
        ],
        "kind": "text",
        "description": ""
      },
      {
        "path": [
          "communication",
          "email_confirmed"
        ],
        "kind": "boolean",
        "description": "Whether you have confirmed the address."
      },
      {
        "path": [
          "bank_account",
          "account_holder"
        ],
        "kind": "text",
        "description": ""
      },
      {
        "path": [
          "bank_account",
          "bank"
        ],
        "kind": "text",
        "description": ""
      },
      {
        "path": [
          "bank_account",
          "bic"
        ],
        "kind": "text",
        "description": ""
      },
      {
        "path": [
          "bank_account",
          "country"
        ],
        "kind": "text",
        "description": "Where the bank is."
      },
      {
        "path": [
          "bank_account",
          "currency"
        ],
        "kind": "text",
        "description": ""
      },
      {
        "path": [
          "bank_account",
          "iban"
        ],
        "kind": "text",
        "description": ""
      },
      {
        "path": [
          "is_beneficiary"
        ],
        "kind": "boolean",
        "description": "Kept and echoed; has no effect."
      },
      {
        "path": [
          "tax_information",
          "non_assessment_certificate"
        ],
        "kind": "boolean",
        "description": ""
      },
      {
        "path": [
          "tax_information",
          "tax_identification_number"
        ],
        "kind": "text",
        "description": ""
      },
      {
        "path": [
          "tax_information",
          "is_subject_to_german_tax"
        ],
        "kind": "boolean",
        "description": ""
      },
      {
        "path": [
          "kyc",
          "status"
        ],
        "kind": "text",
        "choices": [
          "NEW",
          "DEACTIVATED",
          "PENDING",
          "APPROVED",
          "REJECTED"
        ],
        "description": ""
      },
      {
        "path": [
          "kyb",
          "status"
        ],
        "kind": "text",
        "choices": [
          "NEW",
          "DEACTIVATED",
          "PENDING",
          "APPROVED",
          "REJECTED"
        ],
        "description": ""
      }
    ]
  },
  "listAccounts": {
    "summary": "List accounts",
    "description": "All accounts of your tenant.\n\nNeeds the scope `account.read`.\n\nAn addition to the specification.",
    "takesKey": false,
    "params": [],
    "query": [
      {
        "name": "limit",
        "kind": "integer",
        "description": "How many to return."
      },
      {
        "name": "offset",
        "kind": "integer",
        "description": "How many to pass over."
      },
      {
        "name": "direction",
        "kind": "text",
        "choices": [
          "asc",
          "desc"
        ],
        "description": "Newest first (desc), or oldest first (asc): then the offset of an element never changes."
      }
    ]
  },
  "getAccount": {
    "summary": "Read an account",
    "description": "One account with its bank account, tax information and the state of its approval.\n\nNeeds the scope `account.read`.\n\nAn addition to the specification.",
    "takesKey": false,
    "params": [
      "accountId"
    ],
    "query": []
  },
  "updateAccount": {
    "summary": "Change an account",
    "description": "Replaces the objects that are sent, each as a whole, and leaves the others as they are. Send `kyc` or `kyb`, not both.\n\nNeeds the scope `account.update`.",
    "takesKey": true,
    "params": [
      "accountId"
    ],
    "query": [],
    "body": [
      {
        "path": [
          "communication",
          "email"
        ],
        "kind": "text",
        "description": ""
      },
      {
        "path": [
          "communication",
          "email_confirmed"
        ],
        "kind": "boolean",
        "description": "Whether you have confirmed the address."
      },
      {
        "path": [
          "bank_account",
          "account_holder"
        ],
        "kind": "text",
        "description": ""
      },
      {
        "path": [
          "bank_account",
          "bank"
        ],
        "kind": "text",
        "description": ""
      },
      {
        "path": [
          "bank_account",
          "bic"
        ],
        "kind": "text",
        "description": ""
      },
      {
        "path": [
          "bank_account",
          "country"
        ],
        "kind": "text",
        "description": "Where the bank is."
      },
      {
        "path": [
          "bank_account",
          "currency"
        ],
        "kind": "text",
        "description": ""
      },
      {
        "path": [
          "bank_account",
          "iban"
        ],
        "kind": "text",
        "description": ""
      },
      {
        "path": [
          "tax_information",
          "non_assessment_certificate"
        ],
        "kind": "boolean",
        "description": ""
      },
      {
        "path": [
          "tax_information",
          "tax_identification_number"
        ],
        "kind": "text",
        "description": ""
      },
      {
        "path": [
          "tax_information",
          "is_subject_to_german_tax"
        ],
        "kind": "boolean",
        "description": ""
      },
      {
        "path": [
          "kyc",
          "status"
        ],
        "kind": "text",
        "choices": [
          "NEW",
          "DEACTIVATED",
          "PENDING",
          "APPROVED",
          "REJECTED"
        ],
        "description": ""
      },
      {
        "path": [
          "kyb",
          "status"
        ],
        "kind": "text",
        "choices": [
          "NEW",
          "DEACTIVATED",
          "PENDING",
          "APPROVED",
          "REJECTED"
        ],
        "description": ""
      }
    ]
  },
  "createBenefitingPerson": {
    "summary": "Add a benefiting person to a company account",
    "description": "A person who benefits from a company in the end. Only company accounts have them, at most 1,000 each.\n\nNeeds the scope `account.update` or `account.create`.",
    "takesKey": true,
    "params": [
      "accountId"
    ],
    "query": [],
    "body": [
      {
        "path": [
          "firstname"
        ],
        "kind": "text",
        "description": ""
      },
      {
        "path": [
          "lastname"
        ],
        "kind": "text",
        "description": ""
      },
      {
        "path": [
          "street"
        ],
        "kind": "text",
        "description": ""
      },
      {
        "path": [
          "zip"
        ],
        "kind": "text",
        "description": ""
      },
      {
        "path": [
          "state"
        ],
        "kind": "text",
        "description": ""
      },
      {
        "path": [
          "city"
        ],
        "kind": "text",
        "description": ""
      },
      {
        "path": [
          "country"
        ],
        "kind": "text",
        "description": "Where the person lives."
      }
    ]
  },
  "listBenefitingPersons": {
    "summary": "List the benefiting persons of an account",
    "description": "All of them at once: this list has no pages. An individual account has none.\n\nNeeds the scope `account.read`.",
    "takesKey": false,
    "params": [
      "accountId"
    ],
    "query": [
      {
        "name": "limit",
        "kind": "text",
        "description": "Ignored: this list is not paged."
      },
      {
        "name": "offset",
        "kind": "text",
        "description": "Ignored: this list is not paged."
      }
    ]
  },
  "listAccountOrders": {
    "summary": "List the orders of an account",
    "description": "What an account has ordered, over all offerings.\n\nNeeds the scope `order.read`.",
    "takesKey": false,
    "params": [
      "accountId"
    ],
    "query": [
      {
        "name": "limit",
        "kind": "integer",
        "description": "How many to return."
      },
      {
        "name": "offset",
        "kind": "integer",
        "description": "How many to pass over."
      },
      {
        "name": "direction",
        "kind": "text",
        "choices": [
          "asc",
          "desc"
        ],
        "description": "Newest first (desc), or oldest first (asc): then the offset of an element never changes."
      }
    ]
  },
  "listTransactions": {
    "summary": "List the token transactions of an account",
    "description": "Every movement of tokens into, out of and between the wallets of an account.\n\nNeeds the scope `wallet.read` or `account.read`.",
    "takesKey": false,
    "params": [
      "accountId"
    ],
    "query": [
      {
        "name": "limit",
        "kind": "integer",
        "description": "How many to return."
      },
      {
        "name": "offset",
        "kind": "integer",
        "description": "How many to pass over."
      },
      {
        "name": "direction",
        "kind": "text",
        "choices": [
          "asc",
          "desc"
        ],
        "description": "Newest first (desc), or oldest first (asc): then the offset of an element never changes."
      }
    ]
  },
  "listWallets": {
    "summary": "List the wallets of an account",
    "description": "The wallets of an account, whatever their status.\n\nNeeds the scope `wallet.read`.",
    "takesKey": false,
    "params": [
      "accountId"
    ],
    "query": [
      {
        "name": "limit",
        "kind": "integer",
        "description": "How many to return."
      },
      {
        "name": "offset",
        "kind": "integer",
        "description": "How many to pass over."
      },
      {
        "name": "direction",
        "kind": "text",
        "choices": [
          "asc",
          "desc"
        ],
        "description": "Newest first (desc), or oldest first (asc): then the offset of an element never changes."
      }
    ]
  },
  "listWalletBalances": {
    "summary": "List the balances of an account's wallets",
    "description": "What each wallet of an account holds of each token.\n\nNeeds the scope `wallet.read`.",
    "takesKey": false,
    "params": [
      "accountId"
    ],
    "query": [
      {
        "name": "limit",
        "kind": "integer",
        "description": "How many to return."
      },
      {
        "name": "offset",
        "kind": "integer",
        "description": "How many to pass over."
      },
      {
        "name": "direction",
        "kind": "text",
        "choices": [
          "asc",
          "desc"
        ],
        "description": "Newest first (desc), or oldest first (asc): then the offset of an element never changes."
      },
      {
        "name": "lang",
        "kind": "text",
        "choices": [
          "ar",
          "de",
          "en",
          "es",
          "fr"
        ],
        "description": "The language of the names."
      },
      {
        "name": "language",
        "kind": "text",
        "choices": [
          "ar",
          "de",
          "en",
          "es",
          "fr"
        ],
        "description": "The same as lang."
      },
      {
        "name": "locale",
        "kind": "text",
        "choices": [
          "ar",
          "de",
          "en",
          "es",
          "fr"
        ],
        "description": "The same as lang."
      }
    ]
  },
  "getWallet": {
    "summary": "Read a wallet",
    "description": "One wallet of an account.\n\nNeeds the scope `wallet.read`.",
    "takesKey": false,
    "params": [
      "accountId",
      "walletId"
    ],
    "query": []
  },
  "listOfferings": {
    "summary": "List offerings",
    "description": "The offerings of your tenant that are open or closed. Drafts are not shown.\n\nNeeds the scope `offering.read`.",
    "takesKey": false,
    "params": [],
    "query": [
      {
        "name": "limit",
        "kind": "integer",
        "description": "How many to return."
      },
      {
        "name": "offset",
        "kind": "integer",
        "description": "How many to pass over."
      },
      {
        "name": "direction",
        "kind": "text",
        "choices": [
          "asc",
          "desc"
        ],
        "description": "Newest first (desc), or oldest first (asc): then the offset of an element never changes."
      }
    ]
  },
  "getOffering": {
    "summary": "Read an offering",
    "description": "One offering: its token, its price, and what can still be ordered.\n\nNeeds the scope `offering.read`.",
    "takesKey": false,
    "params": [
      "offeringId"
    ],
    "query": []
  },
  "createOrder": {
    "summary": "Order units of an offering",
    "description": "Reserves units of an offering for an account and says what to pay and where. The units are taken from `available_units` at once and come back when the order is cancelled. Must be within `min_units` and `max_units` of the offering. Without a key, sending it again orders again.\n\nNeeds the scope `order.create`.",
    "takesKey": true,
    "params": [
      "offeringId"
    ],
    "query": [],
    "body": [
      {
        "path": [
          "account_id"
        ],
        "kind": "text",
        "description": "The account that buys."
      },
      {
        "path": [
          "units"
        ],
        "kind": "text",
        "description": "How much to buy, in the smallest token unit: amount * 10^decimals. At most 2^256 - 1."
      },
      {
        "path": [
          "payment_provider"
        ],
        "kind": "text",
        "choices": [
          "bank_transfer",
          "stripe",
          "checkout",
          "tokensale"
        ],
        "description": ""
      }
    ]
  },
  "listOfferingOrders": {
    "summary": "List the orders of an offering",
    "description": "What has been ordered of an offering, over all accounts.\n\nNeeds the scope `order.read`.",
    "takesKey": false,
    "params": [
      "offeringId"
    ],
    "query": [
      {
        "name": "limit",
        "kind": "integer",
        "description": "How many to return."
      },
      {
        "name": "offset",
        "kind": "integer",
        "description": "How many to pass over."
      },
      {
        "name": "direction",
        "kind": "text",
        "choices": [
          "asc",
          "desc"
        ],
        "description": "Newest first (desc), or oldest first (asc): then the offset of an element never changes."
      }
    ]
  },
  "getOrder": {
    "summary": "Read an order",
    "description": "One order with its account, its offering and the bank account to pay to.\n\nNeeds the scope `order.read`.",
    "takesKey": false,
    "params": [
      "offeringId",
      "orderId"
    ],
    "query": []
  },
  "cancelOrder": {
    "summary": "Cancel an order",
    "description": "Possible until minting has begun. Cancelling a cancelled order changes nothing and answers as the first time did.\n\nNeeds the scope `order.update` or `order.delete`.",
    "takesKey": false,
    "params": [
      "offeringId",
      "orderId"
    ],
    "query": []
  },
  "listEvents": {
    "summary": "Read what has happened",
    "description": "The events of your tenant behind a number, oldest first, for 30 days: those of the scopes that the token carries, and those of its own credential. To follow, keep the last `sequence` that you have seen and ask for what comes `after` it. Numbers have no gaps; those that you do not see are of other scopes.\n\nNeeds the scope `account.read` or `offering.read` or `order.read` or `wallet.read`.\n\nAn addition to the specification.",
    "takesKey": false,
    "params": [],
    "query": [
      {
        "name": "after",
        "kind": "integer",
        "description": "The last sequence that you have seen."
      },
      {
        "name": "limit",
        "kind": "integer",
        "description": "How many to return."
      },
      {
        "name": "type",
        "kind": "text",
        "choices": [
          "account.created",
          "account.updated",
          "account.approval_changed",
          "benefiting_person.created",
          "offering.opened",
          "offering.closed",
          "order.created",
          "order.part_paid",
          "order.paid",
          "order.not_paid_in_time",
          "order.extended",
          "order.accepted",
          "order.blocked",
          "order.ready_to_mint",
          "order.gate_lost",
          "order.minting",
          "order.mint_failed",
          "order.minted",
          "order.cancelled",
          "payment.received",
          "refund.due",
          "refund.sent",
          "refund.settled",
          "refund.failed",
          "refund.withdrawn",
          "wallet.registered",
          "wallet.activated",
          "wallet.suspended",
          "wallet.resumed",
          "wallet.retired",
          "wallet.reopened",
          "wallet.expired",
          "transaction.pending",
          "transaction.confirmed",
          "credential.issued",
          "credential.changed",
          "credential.rotated",
          "credential.disabled"
        ],
        "description": "What happened."
      }
    ]
  },
  "listRequests": {
    "summary": "Look up your last requests",
    "description": "What this credential has asked for in the last 30 days, newest first: method, path, status, code, duration, idempotency key and request id, never a body. A request appears a second or two after its answer. Those without a valid token, and `POST /auth`, are nobody’s and are not here.\n\nNeeds the scope `offering.read` or `account.create` or `account.read` or `account.update` or `wallet.read` or `order.create` or `order.read` or `order.update` or `order.delete`.\n\nAn addition to the specification.",
    "takesKey": false,
    "params": [],
    "query": [
      {
        "name": "before",
        "kind": "text",
        "description": "Only entries older than this one."
      },
      {
        "name": "refused",
        "kind": "text",
        "choices": [
          "true",
          "false"
        ],
        "description": "Only those that were answered by an error."
      },
      {
        "name": "limit",
        "kind": "integer",
        "description": "How many to return."
      }
    ]
  },
  "simulatePayment": {
    "summary": "Simulate a payment",
    "description": "Money arrives for an order as it would from a bank: exactly, too little, too much, too late or told twice. Development only.\n\nNeeds the scope `offering.read` or `account.create` or `account.read` or `account.update` or `wallet.read` or `order.create` or `order.read` or `order.update` or `order.delete`.\n\nAn addition to the specification.",
    "takesKey": true,
    "params": [
      "orderId"
    ],
    "query": [],
    "body": [
      {
        "path": [
          "kind"
        ],
        "kind": "text",
        "choices": [
          "exact",
          "short",
          "over",
          "late",
          "twice"
        ],
        "description": "`exact`: what is missing. `short`: half of it. `over`: half more than it, which is owed back. `late`: all of it after the deadline, which passes first. `twice`: the same payment told twice, which counts once."
      },
      {
        "path": [
          "amount"
        ],
        "kind": "text",
        "description": "This much instead."
      }
    ]
  },
  "simulatePaymentDeadline": {
    "summary": "Let the payment deadline of an order pass",
    "description": "An order that is not paid becomes `NOPAYMENT`; what was paid is owed back. Development only.\n\nNeeds the scope `offering.read` or `account.create` or `account.read` or `account.update` or `wallet.read` or `order.create` or `order.read` or `order.update` or `order.delete`.\n\nAn addition to the specification.",
    "takesKey": true,
    "params": [
      "orderId"
    ],
    "query": []
  },
  "simulateDecision": {
    "summary": "Decide about an account as an operator would",
    "description": "Sets `kyc` or `kyb`; orders that wait for the approval advance or stop. Development only.\n\nNeeds the scope `offering.read` or `account.create` or `account.read` or `account.update` or `wallet.read` or `order.create` or `order.read` or `order.update` or `order.delete`.\n\nAn addition to the specification.",
    "takesKey": true,
    "params": [
      "accountId"
    ],
    "query": [],
    "body": [
      {
        "path": [
          "kyc"
        ],
        "kind": "text",
        "choices": [
          "NEW",
          "DEACTIVATED",
          "PENDING",
          "APPROVED",
          "REJECTED"
        ],
        "description": ""
      },
      {
        "path": [
          "kyb"
        ],
        "kind": "text",
        "choices": [
          "NEW",
          "DEACTIVATED",
          "PENDING",
          "APPROVED",
          "REJECTED"
        ],
        "description": ""
      }
    ]
  },
  "simulateWallet": {
    "summary": "Give an account a wallet",
    "description": "Makes a key, registers its address and proves its ownership as an investor would: the wallet is `ACTIVE`, and the service can send tokens from it in a simulated transfer. Development only.\n\nNeeds the scope `offering.read` or `account.create` or `account.read` or `account.update` or `wallet.read` or `order.create` or `order.read` or `order.update` or `order.delete`.\n\nAn addition to the specification.",
    "takesKey": true,
    "params": [
      "accountId"
    ],
    "query": [],
    "body": [
      {
        "path": [
          "offering_id"
        ],
        "kind": "text",
        "description": "On the chain of this offering; without it on the chain of development."
      }
    ]
  },
  "simulateMintFailure": {
    "summary": "Make mints of an offering fail",
    "description": "The token refuses every mint until you say otherwise: orders go back to `READYTOMINT`, and after three tries they are held, with the reason of the contract among their blockers. `failing: false` mends the token and releases them. Development only.\n\nNeeds the scope `offering.read` or `account.create` or `account.read` or `account.update` or `wallet.read` or `order.create` or `order.read` or `order.update` or `order.delete`.\n\nAn addition to the specification.",
    "takesKey": false,
    "params": [
      "offeringId"
    ],
    "query": [],
    "body": [
      {
        "path": [
          "failing"
        ],
        "kind": "boolean",
        "description": "Whether the token refuses mints from now on. False also releases the orders that are held."
      }
    ]
  },
  "simulateReorganisation": {
    "summary": "Reorganise the chain",
    "description": "The last blocks are replaced by empty ones. Transactions that were `pending` vanish; those of ours are sent again and end as they would have. Development only.\n\nNeeds the scope `offering.read` or `account.create` or `account.read` or `account.update` or `wallet.read` or `order.create` or `order.read` or `order.update` or `order.delete`.\n\nAn addition to the specification.",
    "takesKey": false,
    "params": [],
    "query": [],
    "body": [
      {
        "path": [
          "offering_id"
        ],
        "kind": "text",
        "description": "The chain of this offering."
      },
      {
        "path": [
          "depth"
        ],
        "kind": "integer",
        "description": "How many blocks are taken back. Those that are final cannot be."
      }
    ]
  },
  "simulateTransfer": {
    "summary": "Transfer tokens between investors",
    "description": "An investor sends tokens from a simulated wallet, on the chain and without asking us: it appears as `SEND` and `RECEIVE`, or as `TRANSFER` within one account, first `pending` and then `confirmed`. Development only.\n\nNeeds the scope `offering.read` or `account.create` or `account.read` or `account.update` or `wallet.read` or `order.create` or `order.read` or `order.update` or `order.delete`.\n\nAn addition to the specification.",
    "takesKey": true,
    "params": [],
    "query": [],
    "body": [
      {
        "path": [
          "offering_id"
        ],
        "kind": "text",
        "description": "Whose tokens."
      },
      {
        "path": [
          "from_wallet_id"
        ],
        "kind": "text",
        "description": "A wallet that a simulation has made: nobody else’s key is known."
      },
      {
        "path": [
          "to_wallet_id"
        ],
        "kind": "text",
        "description": "Any wallet of your accounts on the same chain."
      },
      {
        "path": [
          "units"
        ],
        "kind": "text",
        "description": "How much, in the smallest token unit."
      }
    ]
  },
  "advanceClock": {
    "summary": "Advance the clock that deadlines are read by",
    "description": "Every deadline that your tenant waits for now comes so much nearer: payments that are due, wallets to be proven. Workers act on what has passed within a second or two, as on any other day. Development only.\n\nNeeds the scope `offering.read` or `account.create` or `account.read` or `account.update` or `wallet.read` or `order.create` or `order.read` or `order.update` or `order.delete`.\n\nAn addition to the specification.",
    "takesKey": true,
    "params": [],
    "query": [],
    "body": [
      {
        "path": [
          "advance_seconds"
        ],
        "kind": "integer",
        "description": "How much nearer every deadline of your tenant comes."
      }
    ]
  }
} as const satisfies Record<string, OperationFacts>
