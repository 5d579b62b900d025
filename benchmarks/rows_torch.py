"""The rows in PyTorch; those named `_traced` by torch.compile."""

import numpy as np
import torch


def update(optimizers, variables, gradients):
    for variable, gradient in zip(variables, gradients):
        variable.grad = gradient
    for optimizer in optimizers:
        optimizer.step()


def compiled(make):
    """The same step by torch.compile: losses, gradients and the optimizers' updates in one.

    Gradients are asked for by autograd.grad(): a backward() that is compiled leaves the weights as they are (2.13).
    """

    def made():
        torch._dynamo.reset()
        torch._dynamo.config.trace_autograd_ops = True
        torch._dynamo.config.allow_rnn = True
        return torch.compile(make())

    return made


def rows():
    F, nn = torch.nn.functional, torch.nn
    rng = np.random.default_rng(0)

    def normal(*shape, scale=1.0):
        return torch.tensor((rng.standard_normal(shape) * scale).astype(np.float32))

    def variable(*shape, scale=0.05):
        return normal(*shape, scale=scale).requires_grad_()

    table = {}

    def row(name):
        def add(function):
            table[name] = function
            return function

        return add

    m2, m22, n22 = normal(2), normal(2, 2), np.ones((2, 2), np.float32)
    table["const_float"] = lambda: lambda: torch.tensor(42.0)
    table["tensor_from_np"] = lambda: lambda: torch.tensor(n22)
    table["add_scalars"] = lambda: lambda: torch.add(torch.tensor(42.0), torch.tensor(24.0)).numpy()
    table["multiply_2"] = lambda: lambda: m2 * m2
    table["matmul_2x2"] = lambda: lambda: torch.matmul(m22, m22)
    table["index_literal"] = lambda: lambda: torch.tensor([3.0])[0]

    @row("matmul_100x784_tb")
    def _():
        a = normal(100, 784)
        return lambda: torch.matmul(a, a.T)

    def gradient_of(function, x):
        def once():
            leaf = x.detach().requires_grad_()
            y = function(leaf)
            return torch.autograd.grad(y, leaf, torch.ones_like(y))

        return once

    table["grad_identity"] = lambda: gradient_of(lambda x: x.view_as(x), m2)
    table["grad_matmul_2x2"] = lambda: gradient_of(lambda x: x @ x, m22)
    table["grad_matmul_var_2x2"] = table["grad_matmul_2x2"]

    def tanhs(x):
        for _ in range(1000):
            x = torch.tanh(x)
        return x

    table["chain_tanh_1000"] = lambda: lambda: tanhs(m2)
    table["chain_tanh_1000_fwd_bwd"] = lambda: gradient_of(tanhs, m2)

    @row("mlp5_forward_ops_b1")
    def _():
        sizes = [10, 64, 128, 256, 256, 10]
        ws = [variable(a, b) for a, b in zip(sizes, sizes[1:])]
        bs = [variable(b) for b in sizes[1:]]
        x = normal(1, 10)

        def once():
            with torch.no_grad():
                h = x
                for w, b in zip(ws, bs):
                    h = torch.relu(h @ w + b)
            return h

        return once

    def mlp5():
        sizes = [10, 64, 128, 256, 256, 10]
        parts = []
        for a, b in zip(sizes, sizes[1:]):
            parts += [nn.Linear(a, b), nn.ReLU()]
        return nn.Sequential(*parts)

    @row("mlp5_forward_keras_b1")
    def _():
        model, x = mlp5(), normal(1, 10)

        def once():
            with torch.no_grad():
                return model(x)

        return once

    def mlp_step():
        w1, b1, w2, b2 = variable(784, 128), variable(128), variable(128, 10), variable(10)
        x, y = normal(64, 784), torch.tensor(rng.integers(0, 10, 64))
        weights = [w1, b1, w2, b2]

        def step():
            loss = F.cross_entropy(torch.relu(x @ w1 + b1) @ w2 + b2, y)
            gradients = torch.autograd.grad(loss, weights)
            with torch.no_grad():
                for weight, gradient in zip(weights, gradients):
                    weight.sub_(gradient, alpha=0.01)

        return step

    table["mlp_step"] = mlp_step

    @row("keras_step_64x10")
    def _():
        model = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 1))
        variables = list(model.parameters())
        optimizer = torch.optim.SGD(variables, 0.01)
        x, y = normal(64, 10), normal(64, 1)

        def step():
            gradients = torch.autograd.grad(F.mse_loss(model(x), y), variables)
            update([optimizer], variables, gradients)

        return step

    @row("linreg_step")
    def _():
        x, y = normal(17), normal(17)
        w, b = torch.tensor(0.0, requires_grad=True), torch.tensor(0.0, requires_grad=True)

        def step():
            loss = torch.sum(torch.pow(x * w + b - y, 2)) / 34.0
            dw, db = torch.autograd.grad(loss, [w, b])
            with torch.no_grad():
                w.sub_(dw * 0.01)
                b.sub_(db * 0.01)

        return step

    @row("collatz27")
    def _():
        def once():
            a = torch.tensor(27)
            while not torch.eq(a, 1):
                a = a // 2 if torch.eq(a % 2, 0) else 3 * a + 1

        return once

    @row("log1pexp_custom_grad")
    def _():
        class Log1pexp(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                e = torch.exp(x)
                ctx.save_for_backward(e)
                return torch.log(1.0 + e)

            @staticmethod
            def backward(ctx, dy):
                (e,) = ctx.saved_tensors
                return dy * (1.0 - 1.0 / (1.0 + e))

        return gradient_of(Log1pexp.apply, torch.tensor(100.0))

    @row("second_derivative")
    def _():
        def once():
            x = torch.tensor(3.0, requires_grad=True)
            y = x * x * x
            (g,) = torch.autograd.grad(y, x, create_graph=True)
            return torch.autograd.grad(g, x)

        return once

    for n in (256, 1024, 2048):

        def gemm(n=n):
            a, b = normal(n, n), normal(n, n)
            return lambda: a @ b

        table[f"gemm_{n}"] = gemm

    @row("bfloat16_gemm_2048")
    def _():
        a, b = normal(2048, 2048).bfloat16(), normal(2048, 2048).bfloat16()
        return lambda: a @ b

    large = {
        "add": lambda x: x + x,
        "mul_add": lambda x: x * 2.0 + x,
        "exp": torch.exp,
        "tanh": torch.tanh,
        "sum": torch.sum,
        "mean_rows": lambda x: torch.mean(x, 1),
        "sum_columns": lambda x: torch.sum(x, 0),
        "max_rows": lambda x: torch.amax(x, 1),
        "softmax": lambda x: torch.softmax(x, -1),
        "layer_norm": lambda x: F.layer_norm(x, x.shape[-1:]),
    }
    for label, size in (("1m", 1024), ("16m", 4096)):
        for name, function in large.items():

            def elementwise(function=function, size=size):
                x = normal(size, size)
                return lambda: function(x)

            table[f"{name}_{label}"] = elementwise

    def conv(n, h, cin, cout, k, s, groups=1, dtype=torch.float32):
        x = normal(n, cin, h, h).to(dtype).contiguous(memory_format=torch.channels_last)
        w = normal(cout, cin // groups, k, k).to(dtype).requires_grad_()
        x.requires_grad_()

        def once():
            y = F.conv2d(x, w, stride=s, padding=(k - 1) // 2, groups=groups)
            return torch.autograd.grad(y, [x, w], torch.ones_like(y))

        return once

    for shape in (
        (256, 28, 1, 64, 5, 2),
        (256, 14, 64, 128, 5, 2),
        (1, 256, 64, 128, 4, 2),
        (16, 56, 64, 64, 3, 1),
    ):
        table["conv_" + "_".join(map(str, shape))] = lambda shape=shape: conv(*shape)
    table["depthwise_16_56_64_3"] = lambda: conv(16, 56, 64, 64, 3, 1, groups=64)
    table["bfloat16_conv_16_56_64_64_3_1"] = lambda: conv(16, 56, 64, 64, 3, 1, 1, torch.bfloat16)

    def same_transpose(cin, cout, stride):
        padding, extra = (2, 0) if stride == 1 else (2, 1)
        return nn.ConvTranspose2d(
            cin, cout, 5, stride=stride, padding=padding, output_padding=extra, bias=False
        )

    def bce(labels, logits):
        return F.binary_cross_entropy_with_logits(logits, labels)

    @row("dcgan_step")
    def _():
        generator = nn.Sequential(
            nn.Linear(100, 3136, bias=False), nn.BatchNorm1d(3136), nn.ReLU(), nn.Unflatten(1, (64, 7, 7)),
            same_transpose(64, 64, 1), nn.BatchNorm2d(64), nn.ReLU(),
            same_transpose(64, 32, 2), nn.BatchNorm2d(32), nn.ReLU(), same_transpose(32, 1, 2), nn.Tanh(),
        )  # fmt: skip
        discriminator = nn.Sequential(
            nn.Conv2d(1, 64, 5, stride=2, padding=2), nn.LeakyReLU(0.3), nn.Dropout(0.3),
            nn.Conv2d(64, 128, 5, stride=2, padding=2), nn.LeakyReLU(0.3), nn.Flatten(), nn.Linear(6272, 1),
        )  # fmt: skip
        # Channels last is a tenth faster here; in the pix2pix step it makes no difference.
        generator.to(memory_format=torch.channels_last)
        discriminator.to(memory_format=torch.channels_last)
        g_vars, d_vars = list(generator.parameters()), list(discriminator.parameters())
        g_opt, d_opt = torch.optim.Adam(g_vars, 1e-4), torch.optim.Adam(d_vars, 1e-4)
        images = normal(256, 1, 28, 28).contiguous(memory_format=torch.channels_last)

        def step():
            fake = generator(torch.randn(256, 100))
            real_out, fake_out = discriminator(images), discriminator(fake)
            gen_loss = bce(torch.ones_like(fake_out), fake_out)
            disc_loss = bce(torch.ones_like(real_out), real_out) + bce(
                torch.zeros_like(fake_out), fake_out
            )
            g_grads = torch.autograd.grad(gen_loss, g_vars, retain_graph=True)
            d_grads = torch.autograd.grad(disc_loss, d_vars)
            update([g_opt, d_opt], g_vars + d_vars, g_grads + d_grads)

        return step

    @row("pix2pix_step")
    def _():
        def down(cin, filters, norm=True):
            parts = [nn.Conv2d(cin, filters, 4, stride=2, padding=1, bias=False)]
            if norm:
                parts.append(nn.BatchNorm2d(filters))
            return nn.Sequential(*parts, nn.LeakyReLU(0.3))

        def up(cin, filters, dropout=False):
            parts = [
                nn.ConvTranspose2d(cin, filters, 4, stride=2, padding=1, bias=False),
                nn.BatchNorm2d(filters),
            ]
            if dropout:
                parts.append(nn.Dropout(0.5))
            return nn.Sequential(*parts, nn.ReLU())

        widths = [64, 128, 256, 512, 512, 512, 512, 512]
        downs = nn.ModuleList()
        cin = 3
        for i, width in enumerate(widths):
            # A batch norm over one value per channel has nothing to normalise: PyTorch refuses it.
            downs.append(down(cin, width, norm=0 < i < 7))
            cin = width
        ups = nn.ModuleList()
        for i, width in enumerate([512, 512, 512, 512, 256, 128, 64]):
            ups.append(up(cin, width, dropout=i < 3))
            cin = width + widths[6 - i]
        last = nn.ConvTranspose2d(cin, 3, 4, stride=2, padding=1)
        critic = nn.Sequential(down(6, 64, False), down(64, 128), down(128, 256), nn.Conv2d(256, 512, 4),
                               nn.BatchNorm2d(512), nn.LeakyReLU(0.3), nn.Conv2d(512, 1, 4))  # fmt: skip
        source, target = normal(1, 3, 256, 256), normal(1, 3, 256, 256)
        g_vars = [p for part in (downs, ups, last) for p in part.parameters()]
        d_vars = list(critic.parameters())
        g_opt, d_opt = torch.optim.Adam(g_vars, 2e-4), torch.optim.Adam(d_vars, 2e-4)

        def step():
            x, skips = source, []
            for layer in downs:
                x = layer(x)
                skips.append(x)
            for layer, skip in zip(ups, reversed(skips[:-1])):
                x = torch.cat([layer(x), skip], 1)
            fake = torch.tanh(last(x))
            real_out = critic(torch.cat([source, target], 1))
            fake_out = critic(torch.cat([source, fake], 1))
            gen_loss = bce(torch.ones_like(fake_out), fake_out) + 100.0 * torch.mean(
                torch.abs(target - fake)
            )
            disc_loss = bce(torch.ones_like(real_out), real_out) + bce(
                torch.zeros_like(fake_out), fake_out
            )
            g_grads = torch.autograd.grad(gen_loss, g_vars, retain_graph=True)
            d_grads = torch.autograd.grad(disc_loss, d_vars)
            update([g_opt, d_opt], g_vars + d_vars, g_grads + d_grads)

        return step

    @row("nmt_step")
    def _():
        units, embedding, vocabulary, batch, time = 256, 128, 5000, 64, 16
        enc_embed, dec_embed = (
            nn.Embedding(vocabulary, embedding),
            nn.Embedding(vocabulary, embedding),
        )
        encoder = nn.GRU(embedding, units, batch_first=True)
        decoder = nn.GRU(embedding + units, units, batch_first=True)
        w1, w2, score, out = (
            nn.Linear(units, units),
            nn.Linear(units, units),
            nn.Linear(units, 1),
            nn.Linear(units, vocabulary),
        )
        variables = [
            p
            for m in (enc_embed, dec_embed, encoder, decoder, w1, w2, score, out)
            for p in m.parameters()
        ]
        source = torch.tensor(rng.integers(1, vocabulary, (batch, time)))
        target = torch.tensor(rng.integers(1, vocabulary, (batch, time)))
        optimizer = torch.optim.Adam(variables, 1e-3)

        def step():
            memory, state = encoder(enc_embed(source))
            loss = 0.0
            for t in range(1, time):
                attention = torch.softmax(
                    score(torch.tanh(w1(memory) + w2(state[0].unsqueeze(1)))), 1
                )
                context = torch.sum(attention * memory, 1)
                x = torch.cat([context.unsqueeze(1), dec_embed(target[:, t - 1 : t])], -1)
                output, state = decoder(x, state)
                logits = out(output.reshape(-1, units))
                mask = (target[:, t] != 0).float()
                loss = loss + torch.mean(
                    F.cross_entropy(logits, target[:, t], reduction="none") * mask
                )
            update([optimizer], variables, torch.autograd.grad(loss, variables))

        return step

    def lstm(batch, time, units):
        layer = nn.LSTM(units, units, batch_first=True)
        x = normal(batch, time, units)

        def once():
            y = layer(x)[0].sum()
            return torch.autograd.grad(y, list(layer.parameters()))

        return once

    table["lstm_64x50x128"] = lambda: lstm(64, 50, 128)
    table["lstm_16x8x32"] = lambda: lstm(8, 16, 32)

    @row("embedding_100k")
    def _():
        embed, dense = nn.Embedding(100_000, 64, sparse=True), nn.Linear(64, 1)
        ids, y = torch.tensor(rng.integers(0, 100_000, (256, 20))), normal(256, 1)
        optimizer = torch.optim.SGD([*embed.parameters(), *dense.parameters()], 0.01)

        def once():
            optimizer.zero_grad()
            F.mse_loss(dense(embed(ids).mean(1)), y).backward()
            optimizer.step()

        return once

    @row("pipeline_10k_images")
    def _():
        images = torch.tensor(rng.integers(0, 256, (10_000, 1, 28, 28)).astype(np.uint8))
        loader = torch.utils.data.DataLoader(
            torch.utils.data.TensorDataset(images), batch_size=256, shuffle=True,
            collate_fn=lambda items: torch.stack([i[0] for i in items]).float() / 127.5 - 1.0,
        )  # fmt: skip

        def once():
            for _ in loader:
                pass

        return once

    @row("adam_10m")
    def _():
        v = torch.zeros(10_000_000, requires_grad=True)
        v.grad = normal(10_000_000)
        optimizer = torch.optim.Adam([v], 1e-3)
        return lambda: optimizer.step()

    for name in ("mlp_step", "keras_step_64x10", "dcgan_step", "pix2pix_step", "nmt_step"):
        table[f"{name}_traced"] = compiled(table[name])
    table["matmul_2x2_traced"] = compiled(lambda: lambda: m22 @ m22)
    return table
