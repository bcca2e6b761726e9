"""Five small models for the processor, for tests and for measuring: {name: makes}.

Each `makes` returns a function of tensors, and the tensors.
"""

import torch
from torch import nn


def mlp():
    model = nn.Sequential(nn.Linear(64, 128), nn.GELU(), nn.LayerNorm(128),
                          nn.Linear(128, 32), nn.Softmax(dim=-1)).eval()
    return torch.no_grad()(model.forward), (torch.randn(256, 64),)


def cnn():
    model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(),
                          nn.MaxPool2d(2), nn.Flatten(), nn.Linear(8 * 15 * 15, 10)).eval()
    return torch.no_grad()(model.forward), (torch.randn(8, 3, 32, 32),)


def black_scholes():
    def price(spot, strike, time):
        rate, spread = 0.02, 0.3
        root = spread * time.sqrt()
        d1 = (torch.log(spot / strike) + (rate + spread ** 2 / 2) * time) / root
        def normal(x):
            return 0.5 * (1 + torch.erf(x / 2 ** 0.5))
        return spot * normal(d1) - strike * torch.exp(-rate * time) * normal(d1 - root)
    return price, (torch.rand(100_000) * 100 + 50, torch.rand(100_000) * 100 + 50,
                   torch.rand(100_000) + 0.1)


def reductions():
    def all_of_them(x, whole):
        return (x.sum(), x.mean(0), x.amax(1), x.argmin(1), x.var(1), x.cumsum(0),
                torch.sort(x, dim=1).values, (x + 1).bfloat16(),
                (whole * 3 + 1).sum(), torch.softmax(x, 1))
    return all_of_them, (torch.randn(300, 257), torch.arange(1000, dtype=torch.int32))


def training():
    model = nn.Sequential(nn.Linear(32, 64), nn.Tanh(), nn.Linear(64, 1))
    def gradients(x, y):
        loss = ((model(x) - y) ** 2).mean()
        return torch.autograd.grad(loss, list(model.parameters()))
    return gradients, (torch.randn(128, 32), torch.randn(128, 1))


def encoder():
    layer = nn.TransformerEncoderLayer(32, 4, 64, batch_first=True).eval()
    return torch.no_grad()(layer.forward), (torch.randn(4, 20, 32),)


MODELS = {one.__name__: one for one in
          (mlp, cnn, black_scholes, reductions, encoder, training)}
